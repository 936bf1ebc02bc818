#include "wordsway/text/questions/question_tables.h"

namespace wordsway::questions {
namespace {

// Real names beside those of the reviews. Most of them are one token long, where made-up names are three or four: a
// reader has to see where a name ends, and not only how it begins.
// clang-format off: the tables are wrapped like prose
constexpr grammar::Rule kRules[] = {
    {"man",
     "Aaron|Abraham|Alec|Alexander|Alfred|Andrew|Angus|Anthony|Archie|Barry|Benjamin|Boris|Brad|Brandon|Brett|Brian|"
     "Bruce|Calvin|Cedric|Charles|Chris|Clark|Claude|Clayton|Clint|Colin|Craig|Curtis|Dale|Darren|Derek|Dexter|"
     "Dominic|Donald|Doug|Duncan|Dustin|Dylan|Eddie|Elliot|Eric|Ethan|Eugene|Evan|Floyd|Francis|Fred|Gary|Gavin|"
     "Geoffrey|Gerald|Gilbert|Glenn|Greg|Gregory|Hal|Hamish|Hans|Harry|Hector|Herbert|Herman|Ian|Ivan|Jacob|Jake|"
     "Jared|Jason|Jeff|Jeffrey|Jeremy|Jerry|Jesse|Jim|Jimmy|Johnny|Jonathan|Joshua|Justin|Karl|Kevin|Kurt|Kyle|Larry|"
     "Leon|Lloyd|Logan|Luke|Malcolm|Marvin|Matthew|Mike|Mitchell|Morgan|Ned|Nicholas|Nick|Nigel|Norman|Otto|Owen|Pete|"
     "Phil|Pierre|Quentin|Randy|Rick|Ricky|Rodney|Roger|Ron|Ronald|Ross|Roy|Rudolph|Rufus|Rupert|Russell|Ryan|Sam|"
     "Scott|Sean|Sebastian|Seth|Shane|Stan|Stanley|Steve|Steven|Ted|Terry|Tim|Timothy|Toby|Todd|Tom|Tommy|Tony|Travis|"
     "Trevor|Tyler|Vladimir|Wallace|Wayne|Wesley|Zachary"},
    {"woman",
     "Abigail|Ada|Adele|Alexandra|Allison|Amelia|Amy|Andrea|Angela|Angelina|Anne|Annette|Annie|Antonia|Ashley|Becky|"
     "Bella|Bernadette|Beth|Betty|Beverly|Bonnie|Brenda|Camille|Carla|Carmen|Cassandra|Cathy|Cecilia|Cheryl|Christina|"
     "Christine|Cindy|Claudia|Colleen|Connie|Courtney|Cynthia|Danielle|Debbie|Denise|Donna|Doris|Elaine|Elena|Ella|"
     "Elsa|Emma|Erica|Erin|Estelle|Ethel|Eunice|Evelyn|Francesca|Frida|Gail|Gertrude|Gina|Gwen|Heather|Heidi|"
     "Henrietta|Hilda|Jacqueline|Jamie|Janice|Jasmine|Jean|Jenna|Jennifer|Jenny|Jessica|Jill|Joanna|Jocelyn|Jodie|"
     "Joyce|Juliet|Julie|Katherine|Kathleen|Kathy|Katie|Kelly|Kim|Kirsten|Kristen|Lana|Leslie|Lily|Linda|Lisa|Liz|"
     "Loretta|Lorraine|Lola|Lucille|Lydia|Lynn|Madeleine|Maggie|Marcia|Margot|Marie|Marilyn|Marlene|Marjorie|Maureen|"
     "Maxine|Meg|Melanie|Melissa|Meredith|Michelle|Mildred|Millie|Molly|Monica|Myra|Naomi|Natalie|Nicole|Nina|Norma|"
     "Odette|Olga|Peggy|Penelope|Phoebe|Polly|Priscilla|Ramona|Renee|Roberta|Robin|Rosalind|Rosemary|Roxanne|Sabrina|"
     "Sally|Samantha|Sandra|Selma|Shannon|Sharon|Sheila|Shelley|Sherry|Shirley|Sigrid|Sonia|Stella|Stephanie|Suzanne|"
     "Tamara|Tara|Tatiana|Tess|Thelma|Tina|Tracy|Trudy|Ursula|Vanessa|Veronica|Victoria|Vivian|Wanda|Wendy|Yvonne|"
     "Zelda|Zoe"},
    {"surname",
     "Allen|Alvarez|Anderson|Armstrong|Arnold|Austin|Baldwin|Ballard|Barker|Barnes|Barton|Bates|Becker|Benson|Berger|"
     "Blair|Blake|Booth|Boyd|Brady|Briggs|Brooks|Brown|Bryant|Buchanan|Burgess|Burton|Byrne|Caldwell|Callahan|Cameron|"
     "Campbell|Carlson|Carson|Carter|Chapman|Christie|Clarke|Clinton|Cohen|Collins|Connolly|Connor|Cooper|Cortez|"
     "Costello|Coulter|Cox|Crawford|Crowley|Cruz|Cunningham|Davies|Davis|Dawson|Delgado|Denton|Diaz|Dixon|Dobson|"
     "Doherty|Donnelly|Douglas|Doyle|Dunn|Elliott|Evans|Ferguson|Fernandez|Finn|Fitzgerald|Fleming|Ford|Franklin|"
     "Fraser|Freeman|Fuller|Garcia|Gardner|Garrett|Gilmore|Goldberg|Gomez|Gonzalez|Goodman|Gould|Greene|Gutierrez|"
     "Hamilton|Hanson|Harper|Harris|Harrison|Hart|Hawkins|Henderson|Hendricks|Hernandez|Herrera|Higgins|Hoffman|"
     "Holmes|Hopkins|Horton|Hudson|Hutchinson|Ingram|Jackson|Jefferson|Jenkins|Jennings|Jensen|Jimenez|Johansson|"
     "Johnson|Jones|Kaplan|Kaufman|Keane|Kelley|Kennedy|Kerr|Khan|Kimura|Kirby|Klein|Knox|Kramer|Kumar|Lancaster|"
     "Larson|Lewis|Lopez|Lynch|Macdonald|Mackenzie|Madden|Malone|Marino|Marquez|Marshall|Martinez|Maxwell|McCarthy|"
     "McDonald|McGregor|Mendez|Meyer|Middleton|Miller|Montgomery|Moore|Morales|Moran|Morrison|Morse|Murphy|Murray|"
     "Myers|Navarro|Nelson|Newman|Newton|Nichols|Nielsen|Norton|Nguyen|Olsen|Ortega|Ortiz|Osborne|Parker|Parsons|"
     "Patterson|Payne|Perez|Perkins|Perry|Peterson|Petrov|Phillips|Pierce|Powell|Preston|Ramirez|Randall|Reed|Reid|"
     "Reynolds|Richardson|Riley|Rivera|Robertson|Robinson|Rodriguez|Rollins|Rosenberg|Rourke|Rutherford|Salazar|"
     "Sanchez|Sanders|Sato|Saunders|Schmidt|Schneider|Schultz|Schwartz|Serrano|Sharma|Shaw|Shelton|Sherman|Simmons|"
     "Simpson|Singh|Slater|Smith|Snyder|Sokolov|Sorensen|Stewart|Suzuki|Swanson|Takahashi|Talbot|Taylor|Thatcher|"
     "Thompson|Torres|Townsend|Travers|Turner|Vargas|Vasquez|Vega|Walker|Walton|Warner|Watkins|Watson|Watts|Weaver|"
     "Weber|Webster|Wheeler|Whitman|Wilcox|Wilkins|Wilkinson|Williamson|Willis|Wilson|Winslow|Wolfe|Woodward|Wright|"
     "Yamamoto|Zimmerman"},
    {"title_place",
     "Aberdeen|Accra|Adelaide|Algiers|Amsterdam|Ankara|Antwerp|Arizona|Atlanta|Auckland|Austria|Baghdad|Baltimore|"
     "Bangkok|Barcelona|Basel|Beirut|Belfast|Belgrade|Bergen|Berlin|Bogota|Bologna|Bombay|Bordeaux|Bremen|Brighton|"
     "Brisbane|Bristol|Brussels|Bucharest|Budapest|Cairo|Calcutta|Calgary|California|Canberra|Cardiff|Chicago|"
     "Cincinnati|Cleveland|Cologne|Copenhagen|Cordoba|Dakar|Dallas|Damascus|Delhi|Denver|Detroit|Dresden|Dubai|Dundee|"
     "Durban|Edinburgh|Exeter|Finland|Frankfurt|Galway|Geneva|Genoa|Ghent|Glasgow|Gothenburg|Granada|Hamburg|Hanoi|"
     "Hanover|Helsinki|Hollywood|Houston|Indiana|Istanbul|Jakarta|Jerusalem|Johannesburg|Kabul|Karachi|Kiev|Krakow|"
     "Kyoto|Lagos|Lahore|Leeds|Leipzig|Lima|Liverpool|Ljubljana|London|Lyon|Malaga|Manchester|Manhattan|Marseille|"
     "Melbourne|Memphis|Miami|Minneapolis|Minsk|Montreal|Mumbai|Munich|Nantes|Naples|Nashville|Nottingham|Odessa|"
     "Oklahoma|Oregon|Orlando|Osaka|Oslo|Ottawa|Palermo|Paris|Perth|Philadelphia|Pisa|Pittsburgh|Plymouth|Portland|"
     "Porto|Prague|Quebec|Queensland|Reykjavik|Riga|Rome|Rotterdam|Salzburg|Sarajevo|Seattle|Seoul|Seville|Shanghai|"
     "Sheffield|Singapore|Sofia|Strasbourg|Stuttgart|Sydney|Tallinn|Tampa|Tehran|Texas|Tokyo|Toulouse|Trieste|Tunis|"
     "Turin|Utah|Utrecht|Valencia|Vancouver|Venice|Vienna|Vilnius|Warsaw|Washington|Wellington|Winnipeg|York|Zagreb|"
     "Zurich"},
};
// clang-format on

}  // namespace

std::span<const grammar::Rule> further_names() {
  return kRules;
}

}  // namespace wordsway::questions
