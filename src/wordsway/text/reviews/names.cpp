#include "wordsway/text/reviews/tables.h"

namespace wordsway::reviews {
namespace {

// clang-format off: the tables are wrapped like prose
constexpr Rule kRules[] = {
    {"man",
     "Adam|Alan|Albert|Arthur|Ben|Bernard|Bruno|Carl|Cyril|Daniel|David|Dennis|Desmond|Edgar|Edward|Ernest|Felix|"
     "Frank|Frederick|Gabriel|George|Gordon|Graham|Harold|Harvey|Henry|Howard|Hugo|Isaac|Jack|James|Jerome|Joel|"
     "Jonas|Joseph|Julian|Keith|Kenneth|Lawrence|Leo|Leonard|Louis|Marcus|Martin|Maurice|Max|Michael|Miles|Nathan|"
     "Neil|Oliver|Oscar|Patrick|Paul|Peter|Philip|Ralph|Raymond|Rex|Richard|Robert|Roland|Samuel|Sidney|Simon|"
     "Stephen|Stuart|Theodore|Thomas|Victor|Vincent|Walter|Warren|William"},
    {"woman",
     "Agnes|Alice|Amanda|Anita|Anna|Audrey|Barbara|Beatrice|Bridget|Carol|Caroline|Catherine|Celia|Charlotte|Clara|"
     "Claire|Cora|Daisy|Deborah|Diana|Dorothy|Edith|Eleanor|Elizabeth|Ellen|Emily|Esther|Eva|Fiona|Florence|Frances|"
     "Gloria|Grace|Greta|Hannah|Harriet|Hazel|Helen|Ida|Ingrid|Irene|Isabel|Jane|Janet|Joan|Josephine|Judith|Julia|"
     "Karen|Laura|Lillian|Louise|Lucy|Mabel|Margaret|Maria|Marion|Martha|Mary|Matilda|Miriam|Nancy|Nora|Olivia|"
     "Pamela|Patricia|Pauline|Rachel|Rebecca|Rita|Rosa|Ruth|Sarah|Sophie|Susan|Sylvia|Teresa|Valerie|Vera|Violet|"
     "Winifred"},
    {"surname",
     "Abbott|Aldridge|Archer|Atwood|Bailey|Barlow|Barrett|Beckett|Bellamy|Bennett|Blackwood|Bowen|Bradley|Brandt|"
     "Brennan|Burke|Calloway|Cardenas|Carver|Castle|Chandler|Chen|Coleman|Conrad|Corbett|Cross|Dalton|Delaney|"
     "Donovan|Drake|Duval|Ellison|Everett|Fairchild|Farrell|Fenton|Fischer|Fletcher|Flores|Forrester|Foster|"
     "Gallagher|Garland|Gibson|Goodwin|Graves|Griffin|Hale|Hammond|Harding|Hartley|Hayes|Holloway|Hooper|Hughes|Ito|"
     "Jarvis|Keller|Kendall|Kowalski|Lambert|Langley|Larsen|Lawson|Leighton|Lindgren|Lockwood|Lowell|Maddox|Marlowe|"
     "Marsh|Mercer|Merrick|Monroe|Moreau|Moretti|Murdoch|Nash|Nolan|Norris|Novak|Okafor|Palmer|Parrish|Patel|Pearce|"
     "Pryor|Quinn|Ramsey|Reeves|Rhodes|Romero|Rossi|Rowland|Russo|Sandoval|Sawyer|Sinclair|Sloane|Spencer|Stanton|"
     "Sterling|Sutherland|Sutton|Tanaka|Thornton|Tucker|Vance|Vaughan|Wagner|Walsh|Webb|Weston|Whitaker|Winters|Yates"},
    {"lead_first:m", "{man}"},
    {"lead_first:f", "{woman}"},
    {"lead", "{=lead_first} {=lead_last}"},
    {"lead_last", "{surname}"},
    {"he:m", "he"},
    {"he:f", "she"},
    {"his:m", "his"},
    {"his:f", "her"},
    {"him:m", "him"},
    {"him:f", "her"},
    {"actor:m", "actor"},
    {"actor:f", "actress"},
    {"person", "{man} {surname}|{woman} {surname}"},
    {"director", "{person}"},
    {"costar", "{person}"},
    {"composer", "{person}"},
    {"villain", "{person}"},
    {"hero_name:m", "{man}"},
    {"hero_name:f", "{woman}"},
    {"film",
     "The {title_adjective} {title_noun}|{title_adjective} {title_noun}|The {title_noun} of {title_place}|"
     "{title_noun} and {title_noun}|The {title_noun} {title_noun}|Beyond the {title_noun}|A {title_noun} for {man}|"
     "Goodbye to {title_place}|The Last {title_noun}|{title_place} Nights|No {title_noun} Tonight|{woman}'s "
     "{title_noun}|Under the {title_adjective} {title_noun}|Return to {title_place}|Seven {title_noun}s"},
    {"other_film",
     "The {title_adjective} {title_noun}|{title_adjective} {title_noun}|The {title_noun} of {title_place}|Before the "
     "{title_noun}|The {title_noun} {title_noun}|Leaving {title_place}"},
    {"title_adjective",
     "Amber|Ancient|Bitter|Black|Blind|Blue|Borrowed|Broken|Burning|Crimson|Crooked|Dark|Distant|Empty|Endless|"
     "Eternal|Fallen|Final|Forgotten|Frozen|Gentle|Glass|Golden|Green|Hidden|Hollow|Hungry|Invisible|Iron|Little|"
     "Lonely|Lost|Midnight|Naked|Northern|Painted|Pale|Paper|Perfect|Quiet|Red|Restless|Scarlet|Secret|Seventh|"
     "Silent|Silver|Sleeping|Southern|Stolen|Strange|Sudden|Tender|Thirteenth|Twisted|Velvet|Violent|Wandering|White|"
     "Wild|Winter"},
    {"title_noun",
     "Anchor|Angel|Apprentice|Autumn|Avenue|Ballroom|Bell|Bird|Blade|Border|Bridge|Carnival|Cathedral|Circus|City|"
     "Cloud|Colony|Compass|Corridor|Crown|Dancer|Daughter|Desert|Diamond|Door|Dragon|Echo|Empire|Fever|Field|Flame|"
     "Garden|Ghost|Harbor|Harvest|Horizon|Hunter|Island|Jungle|Kingdom|Labyrinth|Ladder|Lantern|Legacy|Letter|"
     "Lighthouse|Mansion|Mask|Melody|Mirror|Moon|Mountain|Needle|Oath|Ocean|Orchard|Orphan|Painter|Palace|Passenger|"
     "Phantom|Pilgrim|Pirate|Prophet|Puzzle|Queen|Rain|Raven|Rebel|Ritual|River|Rose|Sailor|Shadow|Shore|Sister|Sky|"
     "Soldier|Spider|Station|Storm|Stranger|Summer|Sword|Thief|Thunder|Tiger|Tower|Traitor|Valley|Voyage|Wanderer|"
     "Whisper|Widow|Window|Wolf"},
    {"title_place",
     "Alaska|Algiers|Athens|Babylon|Berlin|Bombay|Boston|Brooklyn|Budapest|Cairo|Calcutta|Carolina|Casablanca|"
     "Chicago|Copenhagen|Cuba|Dakota|Dublin|Edinburgh|Florence|Geneva|Havana|Istanbul|Jamaica|Kansas|Kyoto|Lisbon|"
     "Madrid|Manila|Marseille|Memphis|Mexico|Milan|Montana|Montreal|Moscow|Nairobi|Naples|Nevada|Odessa|Oslo|Oxford|"
     "Panama|Paris|Prague|Rome|Saigon|Savannah|Seville|Shanghai|Siberia|Sicily|Stockholm|Sydney|Tangier|Texas|Tokyo|"
     "Toronto|Trieste|Tunis|Utah|Venice|Vienna|Virginia|Warsaw|Zurich"},
    {"place", "{title_place}"},
};
// clang-format on

}  // namespace

std::span<const Rule> name_rules() {
  return kRules;
}

}  // namespace wordsway::reviews
