// What fills the templates: short lists, each of which fits every template that uses it.
#include "wordsway/text/pairs/pair_templates.h"

namespace wordsway::pairs {
namespace {

// The lists are wrapped like prose.
// clang-format off
constexpr grammar::Rule kRules[] = {
    // People
    {"name", "Anna|Ben|Carla|David|Elena|Emil|Grace|Hugo|Irene|Jakob|Karim|Lucy|Marco|Nina|Oscar|Paula|Rosa|Samir|"
     "Tara|Victor"},
    {"doctor", "Dr Novak|Dr Okafor|Dr Lindgren|Dr Haddad|Dr Moreau|Dr Tanaka|Dr Weber|Dr Silva|Dr Rossi|Dr Kumar"},
    {"relative", "sister|uncle|aunt|father|mother|cousin|grandmother|brother|nephew|daughter"},
    {"person", "baker|waiter|plumber|teacher|builder|farmer|tailor|painter|dentist|barber"},
    {"witness", "neighbour|cashier|doctor|accountant|nurse|gardener|porter|cleaner|janitor|postman|shopkeeper"},
    {"suspect", "driver|broker|visitor|trader|clerk|pilot|chef|manager|banker|guard|dealer"},
    {"party", "tenant|landlord|buyer|seller|employer|supplier|insurer|client|builder|lender|carrier"},
    {"owner", "city|church|bank|widow|company|family|school|museum|council|charity|brewery"},
    {"role", "villain|detective|queen|pilot|teacher|thief|surgeon|captain|princess|soldier"},

    // Places
    {"city", "Lisbon|Prague|Oslo|Vienna|Dublin|Milan|Hamburg|Lyon|Madrid|Warsaw|Bremen|Zurich"},
    {"harbour", "Lisbon|Oslo|Dublin|Hamburg|Genoa|Marseille|Rotterdam|Gdansk|Piraeus|Porto"},
    {"country", "Spain|Italy|Kenya|Peru|Turkey|Greece|India|Brazil|Chile|Vietnam"},
    {"language", "Spanish|German|Polish|Italian|Greek|Dutch|Turkish|Danish|Swedish|Portuguese"},
    {"river", "Danube|Rhine|Seine|Tiber|Thames|Volga|Elbe|Ebro"},
    {"site", "control room|warehouse|server room|loading bay|power plant|workshop|depot|data centre|boiler room|"
     "engine room|packing hall"},
    {"yard", "factory|depot|harbour|quarry|warehouse|power plant|barracks|airfield|sawmill|shipyard"},
    {"place", "warehouse|workshop|garage|depot|cellar|office|yard|attic"},
    {"outdoor", "park|garden|yard|market square|zoo|stadium|town forest|harbour"},
    {"landmark", "school|hospital|park|station|church|bridge|museum|library"},
    {"hideout", "car|cellar|garage|office|flat|barn|shed|hotel"},

    // Times
    {"weekday", "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"},
    {"month", "January|February|March|April|May|June|July|August|September|October|November|December"},
    {"season", "spring|summer|autumn|winter"},
    {"period", "week|month|quarter|year"},
    {"hour", "nine|ten|eleven|noon|two|three|four|five"},
    {"clock", "6|7|8|9|10"},
    {"daypart", "morning|evening|night"},
    {"day", "4|5|6|7|8|9|10|14|16|17|18|19|25|26"},
    {"year", "1958|1964|1971|1979|1986|1993|2004|2011|2017"},
    {"weather", "it rains|it snows|the sun shines|it is windy|it is cold|it is hot"},

    // Numbers
    {"few", "two|three|four|five|six|seven|eight|nine|ten"},
    {"small", "2|3|4|5|6|7|8|9|11|12"},
    {"tens", "10|20|30|40|50|60|80|90"},
    {"amount", "35|40|75|120|250|300|480|650|900|1200"},
    {"age", "19|27|34|38|48|56|65|70|76|84"},
    {"long", "15|20|30|40|45|60"},
    {"room", "12|15|23|27|31|34|46|52"},
    {"size", "120|200|300|400|500|700|800"},
    {"width", "30|40|50|60|70|80"},
    {"distance", "12|25|40|60|80|120|150"},
    {"speed", "20|30|40|50|60"},
    {"pack", "20|25|30|40|50|60"},
    {"warm", "40|45|50|60|70"},
    {"fit", "36|37|38|39|40|41|42|43|44"},
    {"code", "401|403|404|408|500|502|503"},
    {"ticket", "3081|3801|4417|4471|5206|6250|7913|9137"},

    // Software
    {"feature", "dark mode|two-factor login|location tracking|automatic backup|spell checking|screen sharing|"
     "file syncing|voice control|remote access|guest access|night mode|live chat"},
    {"app", "mail client|web portal|mobile app|photo editor|chat program|calendar app|file manager|video player|"
     "travel planner|time tracker|password manager"},
    {"device", "laptop|tablet|printer|phone|router|monitor|scanner|headset|keyboard|webcam"},
    {"blinker", "router|printer|scanner|modem|laptop|tablet|coffee machine|projector"},
    {"lampcolour", "red|green|yellow|blue|white|orange"},
    {"screen", "laptop|tablet|desktop|notebook|phone|terminal"},
    {"computer", "laptop|tablet|phone|computer|work laptop|new phone|desktop PC|old tablet|gaming PC|notebook"},
    {"gadget", "laptop|tablet|phone|camera|headset|speaker|watch|radio"},
    {"talker", "headset|laptop|phone|tablet|webcam|computer|smart speaker|desk phone|car kit"},
    {"document", "report|spreadsheet|presentation|photo album|contact list|draft|invoice|project plan|handbook"},
    {"docs", "reports|spreadsheets|presentations|photos|contacts|drafts|messages|notes|bookmarks|invoices"},
    {"papers", "reports|notes|drafts|invoices|tables|price lists|manuals"},
    {"archive", "photo archive|video folder|nightly backup|mail archive|game update|customer database|project folder"},
    {"mishap", "power cut|storm|move|update|crash|holiday|repair|flood"},
    {"plan", "free plan|basic plan|team plan|student plan|trial version|family plan|yearly plan|mobile version"},
    {"kind", "work|school|admin|guest|email|shop|cloud|family|student|team|gaming"},
    {"notice", "confirmation|password reset|welcome|activation|reminder|sign-up|renewal|security|delivery|billing|"
     "verification"},
    {"element", "main menu|search box|help button|login form|address bar|print button|settings page|sign-up link|"
     "status bar|privacy page"},
    {"storage", "cloud drive|old laptop|USB stick|phone|shared drive|network folder|memory card|camera"},
    {"format", "CSV|PDF|Excel|JSON|Word|XML|HTML"},
    {"desk", "helpdesk|hotline|live chat|IT office|service counter|support line|repair shop"},
    {"plainness", "simple|small|old-fashioned|strict|colourful|unusual|plain|basic"},

    // Money
    {"account", "savings account|current account|joint account|business account|student account|deposit account|"
     "holiday account|family account|children's account|pension account"},
    {"card", "credit card|debit card|prepaid card|company card|student card|travel card|family card|gift card|"
     "platinum card|silver card|bonus card"},
    {"loan", "mortgage|car loan|student loan|business loan|home loan|bridging loan|building loan|start-up loan|"
     "holiday loan|farm loan"},
    {"transaction", "transfer|cash withdrawal|card payment|currency exchange|money order|bank draft|direct debit|"
     "foreign payment|cash advance|cheque deposit"},
    {"bill", "rent|electricity bill|phone bill|insurance premium|gym membership|water bill|tax bill|heating bill|"
     "internet bill|gas bill|library fine"},
    {"proof", "passport|payslip|birth certificate|tax return|bank statement|work contract|photo"},
    {"trait", "retired|self-employed|divorced|new in town|a student|over sixty|a tenant|married"},
    {"stock", "bank|energy|airline|technology|car|pharma|mining|telecom|steel|insurance|railway"},
    {"currency", "euros|dollars|pounds|francs|yen|crowns"},

    // Medicine
    {"disease", "measles|mumps|rubella|chickenpox|tetanus|polio|whooping cough|yellow fever|rabies|typhoid"},
    {"illness", "asthma|diabetes|anaemia|migraine|arthritis|bronchitis|gout|eczema"},
    {"symptom", "headache|fever|rash|cough|swelling|itching|dizziness|nausea|backache|toothache"},
    {"ailment", "fever|headache|cough|cold|rash|stomach ache|runny nose|sore throat"},
    {"ache", "back pain|migraine|insomnia|stress|neck pain|high blood pressure|asthma"},
    {"drug", "ibuprofen|paracetamol|aspirin|amoxicillin|insulin|metformin|codeine|cortisone|morphine|naproxen"},
    {"remedy", "tablets|drops|syrup|capsules|powder|lozenges|pills|medicine|antibiotics|painkillers|vitamins"},
    {"powder", "salt|sugar|glucose|baking soda|magnesium powder|citric acid|protein powder"},
    {"pills", "tablets|capsules|pills|lozenges|drops|spoonfuls"},
    {"bodypart", "knee|shoulder|wrist|ankle|elbow|hip|thumb|heel"},
    {"bone", "wrist|ankle|elbow|rib|toe|finger|collarbone|nose"},
    {"torso", "belly|chest|back|ribs|stomach|side|lower back|upper arm|neck"},
    {"organ", "heart|lung|kidney|liver|skin|eye|bone|nerve"},
    {"test", "blood test|ultrasound|biopsy|brain scan|eye test|hearing test|allergy test|urine test|lung scan|"
     "heart scan"},
    {"procedure", "operation|biopsy|blood test|scan|injection|ultrasound|transfusion|vaccination|brain scan|"
     "allergy test"},
    {"surgery", "operation|biopsy|knee surgery|skin graft|eye surgery|root canal|heart bypass|hip replacement|"
     "ear surgery|cataract operation|skin biopsy"},
    {"therapy", "treatment|injection|measurement|blood test|exercise|massage|inhalation|eye bath"},
    {"ward", "children's ward|intensive care unit|maternity ward|emergency room|surgical ward|recovery room|"
     "heart clinic|burns unit|stroke unit|cancer ward|eye clinic"},
    {"meddevice", "drip|heart monitor|oxygen mask|ventilator|feeding tube|infusion pump|dialysis machine|catheter"},
    {"vital", "temperature|pulse|blood pressure|blood sugar|oxygen level|heart rate"},
    {"allergen", "peanuts|pollen|latex|shellfish|penicillin|wool|dust|strawberries|cats|eggs|wheat"},
    {"sport", "swimming|running|cycling|yoga|climbing|dancing|rowing|walking"},
    {"activity", "coffee|exercise|a long walk|the sauna|dinner|a night shift|a short run|meditation|breakfast|"
     "a hot bath|my yoga class"},

    // Operations
    {"server", "web server|mail server|database server|build server|backup server|file server|print server|"
     "test server|proxy server|login server"},
    {"job", "nightly backup|data import|index update|log rotation|price update|file transfer|database migration|"
     "payroll run|stock count"},
    {"cargo", "timber|paper|steel|cement|bottled water|flour|glass|coffee|fertiliser|paint"},
    {"stuff", "timber|steel|scrap metal|gravel|bricks|pipes|firewood|tiles|sand|concrete blocks"},
    {"parcel", "parcel|container|pallet|crate|shipment|barrel|package|piano"},
    {"box", "parcel|crate|box|trunk|package|suitcase"},
    {"machine", "conveyor belt|crane|forklift|press|drill|pump|compressor|saw|mixer|generator"},
    {"vehicle", "truck|van|tractor|bus|jeep|ambulance|snowplough|excavator|fire engine|tour bus|delivery van"},
    {"transport", "truck|train|van|barge"},
    {"route", "night train|new road|ferry|tunnel|old bridge|motorway|coastal road"},
    {"metric", "temperature|pressure|CPU load|memory usage|error rate|latency|humidity|voltage|noise level|"
     "power consumption"},
    {"load", "CPU load|memory usage|error rate|latency|temperature|disk usage|network traffic|power consumption"},
    {"tank", "tank|barrel|boiler|cistern|drum|basin|trough|pool"},
    {"fluid", "water|oil|petrol|diesel|milk|cleaning fluid"},

    // Calendar
    {"meeting", "budget meeting|team lunch|project review|training course|board meeting|staff party|job interview|"
     "sales call|parents' evening|design workshop"},
    {"course", "conference|festival|book fair|language course|film week|congress|trade fair|summer school"},
    {"event", "concert|football match|wedding|parade|conference|auction|fireworks show|school play"},

    // Shopping
    {"item", "jacket|kettle|lamp|backpack|bicycle|sofa|toaster|tent|watch|mirror|blender|carpet|suitcase|guitar"},
    {"gift", "jacket|kettle|lamp|backpack|toaster|watch|blender|guitar"},
    {"goods", "towels|candles|mugs|cushions|plates|blankets|chairs|notebooks|bowls|lamps|gloves"},
    {"smallgoods", "towels|candles|mugs|plates|blankets|notebooks|bowls|gloves"},
    {"container", "wardrobe|cupboard|crate|trunk|cabinet|chest|locker|box"},
    {"shoes", "boots|sandals|trainers|slippers|hiking boots|rain boots|tennis shoes"},
    {"furniture", "desk|wardrobe|bookcase|bed|kitchen table|garden bench|sideboard|shoe rack|coffee table|bunk bed|"
     "TV stand"},
    {"cushion", "mattress|pillow|cushion|sofa bed|air bed|camp bed"},
    {"fabrics", "curtains|gloves|blankets|socks|towels|jeans|scarves"},
    {"food", "rice|coffee|honey|tea|cheese|flour|butter|cocoa"},
    {"baked", "bread|cake|pastry|rye bread|pie|cheesecake"},
    {"sweetdrink", "coffee|tea|cocoa|lemonade|juice|punch"},
    {"drink", "tea|water|broth|juice|milk|soup"},
    {"cloth", "cotton|silk|ribbon|rope|cable|velvet|linen|wallpaper"},
    {"colour", "blue|green|grey|white|black|red|yellow"},
    {"shop", "bakery|bookshop|pharmacy|hardware store|flower shop|supermarket|shoe shop|toy shop|music shop|"
     "garden centre|fish shop"},
    {"dealer", "antique shop|market stall|junk shop|corner shop|village shop|farm shop|thrift store|online shop"},
    {"department", "shoe|toy|garden|furniture|sports|book|kitchen|jewellery|music|gift|lamp|bedding"},
    {"subscription", "newsletter|magazine subscription|loyalty card|meal box plan|coffee subscription|"
     "gift membership|wine club membership|streaming plan|gym plan|audiobook plan"},

    // Law
    {"contract", "lease|contract|licence agreement|loan agreement|insurance policy|purchase agreement|"
     "employment contract|rental agreement"},
    {"lease", "lease|rental agreement|work contract|insurance policy|phone contract|gym contract|service contract|"
     "cleaning contract"},
    {"topic", "late payment|noise|pets|data protection|repairs|liability|parking|overtime"},
    {"crime", "theft|fraud|robbery|assault|burglary|arson|forgery|bribery|smuggling|blackmail|tax evasion"},
    {"case", "fraud|murder|tax|theft|forgery|perjury|robbery|bribery|arson|smuggling|blackmail"},
    {"letter", "notice|complaint|claim|summons|warning|rent increase|eviction notice|offer|repair request|"
     "questionnaire"},
    {"offer", "settlement|verdict|proposal|new terms|compromise|deadline|ruling|peace plan|payment plan|new date"},
    {"service", "heating|water|repairs|cleaning|parking|the lift|waste collection|garden work|snow clearing|"
     "street lighting|hot water"},
    {"lawtopic", "tax|rent|traffic|privacy|labour|tobacco|housing|energy"},
    {"act", "camping|cycling|parking|smoking|busking|jogging|flying kites|selling food"},
    {"pet", "snake|parrot|monkey|rabbit|fox|pig|owl|goat"},

    // Film
    {"film", "Winter Harbour|The Glass Road|Paper Kingdom|Silent Orchard|The Last Ferry|The Seventh Lantern|"
     "The Stone Garden|Crooked Mile|Midnight Bakery|The Copper Sky|Stolen Summer|River of Salt"},
    {"filmpart", "ending|soundtrack|plot|script|first half|second half|opening scene|final act|story|finale|"
     "middle part"},
    {"filmscene", "car chase|wedding scene|opening scene|love scene|dream sequence|dance scene|final fight|"
     "court scene|kissing scene|train scene"},
    {"genre", "comedy|thriller|drama|western|musical|documentary|cartoon|romance|mystery|fantasy"},
    {"filmtopic", "two sisters|a lighthouse keeper|chess players|a lost dog|a mountain village|three brothers|"
     "a night train|twin boxers"},
    {"danger", "fire|train|police|storm|monster|castle|sea|crowd"},
    {"pace", "slowness|length|sadness|silence|violence|old age|strange humour|darkness|simple plot"},
    {"fondness", "horror|musicals|westerns|puzzles|long films|sad stories|car chases|talking animals"},

    // Two of a kind in one template
    {"account1", "{account}"}, {"account2", "{account}"},
    {"age1", "{age}"}, {"age2", "{age}"},
    {"allergen1", "{allergen}"}, {"allergen2", "{allergen}"},
    {"amount1", "{amount}"}, {"amount2", "{amount}"},
    {"bodypart1", "{bodypart}"}, {"bodypart2", "{bodypart}"},
    {"card1", "{card}"}, {"card2", "{card}"},
    {"cargo1", "{cargo}"}, {"cargo2", "{cargo}"},
    {"city1", "{city}"}, {"city2", "{city}"},
    {"code1", "{code}"}, {"code2", "{code}"},
    {"country1", "{country}"}, {"country2", "{country}"},
    {"currency1", "{currency}"}, {"currency2", "{currency}"},
    {"day1", "{day}"}, {"day2", "{day}"},
    {"device1", "{device}"}, {"device2", "{device}"},
    {"doctor1", "{doctor}"}, {"doctor2", "{doctor}"},
    {"drink1", "{drink}"}, {"drink2", "{drink}"},
    {"drug1", "{drug}"}, {"drug2", "{drug}"},
    {"few1", "{few}"}, {"few2", "{few}"},
    {"film1", "{film}"}, {"film2", "{film}"},
    {"fit1", "{fit}"}, {"fit2", "{fit}"},
    {"format1", "{format}"}, {"format2", "{format}"},
    {"gadget1", "{gadget}"}, {"gadget2", "{gadget}"},
    {"genre1", "{genre}"}, {"genre2", "{genre}"},
    {"item1", "{item}"}, {"item2", "{item}"},
    {"language1", "{language}"}, {"language2", "{language}"},
    {"long1", "{long}"}, {"long2", "{long}"},
    {"meeting1", "{meeting}"}, {"meeting2", "{meeting}"},
    {"month1", "{month}"}, {"month2", "{month}"},
    {"name1", "{name}"}, {"name2", "{name}"},
    {"organ1", "{organ}"}, {"organ2", "{organ}"},
    {"person1", "{person}"}, {"person2", "{person}"},
    {"place1", "{place}"}, {"place2", "{place}"},
    {"proof1", "{proof}"}, {"proof2", "{proof}"},
    {"river1", "{river}"}, {"river2", "{river}"},
    {"role1", "{role}"}, {"role2", "{role}"},
    {"room1", "{room}"}, {"room2", "{room}"},
    {"screen1", "{screen}"}, {"screen2", "{screen}"},
    {"server1", "{server}"}, {"server2", "{server}"},
    {"shop1", "{shop}"}, {"shop2", "{shop}"},
    {"small1", "{small}"}, {"small2", "{small}"},
    {"ticket1", "{ticket}"}, {"ticket2", "{ticket}"},
    {"transport1", "{transport}"}, {"transport2", "{transport}"},
    {"vehicle1", "{vehicle}"}, {"vehicle2", "{vehicle}"},
    {"weekday1", "{weekday}"}, {"weekday2", "{weekday}"},
    {"year1", "{year}"}, {"year2", "{year}"},
};
// clang-format on

}  // namespace

std::span<const grammar::Rule> filler_rules() {
  return kRules;
}

}  // namespace wordsway::pairs
