#include "wordsway/text/reviews/tables.h"

namespace wordsway::reviews {
namespace {

// clang-format off: the tables are wrapped like prose
constexpr Rule kRules[] = {
    {"adjective+",
     "absorbing|accomplished|admirable|adorable|affecting|amazing|amusing|appealing|astonishing|authentic|beautiful|"
     "believable|beguiling|bold|breathtaking|brilliant|captivating|charming|clever|colorful|compelling|convincing|"
     "credible|daring|dazzling|delicate|delicious|delightful|dynamic|elegant|enchanting|energetic|engaging|enjoyable|"
     "entertaining|enthralling|excellent|exceptional|exciting|exhilarating|exquisite|extraordinary|fabulous|"
     "fantastic|fascinating|fine|flawless|fresh|fun|funny|gentle|genuine|glorious|gorgeous|graceful|great|gripping|"
     "haunting|heartfelt|heartwarming|hilarious|honest|humane|imaginative|impeccable|impressive|incredible|ingenious|"
     "inspired|inspiring|intelligent|intense|interesting|intriguing|inventive|irresistible|joyful|likable|lively|"
     "lovable|lovely|lyrical|magical|magnificent|marvelous|masterful|memorable|mesmerizing|moving|nuanced|original|"
     "outstanding|perfect|pleasant|poetic|poignant|polished|powerful|profound|radiant|refined|refreshing|remarkable|"
     "rewarding|rich|riveting|satisfying|sensitive|sharp|sincere|skillful|smart|solid|sparkling|spectacular|splendid|"
     "stirring|striking|strong|stunning|stylish|subtle|superb|surprising|suspenseful|sweet|tender|terrific|"
     "thoughtful|thrilling|timeless|touching|tremendous|unforgettable|uplifting|vivid|warm|well made|wise|witty|"
     "wonderful"},
    {"adjective-",
     "abysmal|aimless|amateurish|annoying|appalling|artificial|atrocious|awful|awkward|bad|baffling|banal|bland|"
     "boring|bloated|careless|cheap|cheesy|childish|clumsy|cold|confused|confusing|contrived|corny|cringeworthy|"
     "crude|cynical|dated|dead|depressing|derivative|dire|disappointing|disastrous|disjointed|dismal|dreadful|dreary|"
     "dull|dumb|embarrassing|empty|excruciating|exhausting|fake|false|feeble|flat|flimsy|forced|forgettable|"
     "formulaic|frustrating|generic|grating|half-baked|hackneyed|heavy-handed|hideous|hollow|hopeless|horrendous|"
     "horrible|idiotic|implausible|inane|incoherent|incompetent|inept|infuriating|insipid|insulting|irritating|"
     "juvenile|labored|lackluster|lame|laughable|lazy|lifeless|limp|ludicrous|manipulative|mediocre|messy|mindless|"
     "miserable|monotonous|muddled|nonsensical|noisy|obnoxious|obvious|overlong|overwrought|painful|pathetic|"
     "pedestrian|phony|plodding|pointless|poor|predictable|preposterous|pretentious|repetitive|ridiculous|rushed|"
     "sappy|shabby|shallow|shoddy|silly|sloppy|sluggish|smug|soulless|stale|stiff|stilted|stupid|tasteless|tedious|"
     "terrible|tiresome|tired|trite|ugly|unbearable|unconvincing|unfunny|uninspired|uninteresting|unpleasant|"
     "unwatchable|useless|vapid|vulgar|wasteful|weak|wooden|worthless|wretched"},
    {"superlative+",
     "best|finest|funniest|most beautiful|most moving|most original|smartest|most exciting|warmest|cleverest|most "
     "satisfying|loveliest"},
    {"superlative-",
     "worst|dullest|weakest|most boring|most annoying|laziest|stupidest|most pointless|ugliest|silliest|most "
     "disappointing|clumsiest"},
    {"adverb",
     "absolutely|altogether|amazingly|at times|completely|consistently|deeply|entirely|exceptionally|extremely|"
     "fairly|frankly|genuinely|highly|immensely|incredibly|often|overwhelmingly|particularly|plainly|positively|"
     "pretty|quite|rather|really|remarkably|simply|so|strangely|thoroughly|totally|truly|undeniably|unexpectedly|"
     "utterly|very|wholly"},
    {"degree",
     "a|a|a very|a rather|a really|quite a|such a|a truly|a surprisingly|one|a strangely|a thoroughly|a frankly"},
    {"done+", "{well} {participle}"},
    {"done-", "{badly} {participle}|{overdone}"},
    {"well",
     "beautifully|brilliantly|carefully|cleverly|confidently|deftly|elegantly|expertly|finely|gracefully|handsomely|"
     "imaginatively|lovingly|neatly|nicely|perfectly|skillfully|smartly|superbly|tastefully|well|wonderfully"},
    {"badly",
     "awkwardly|badly|carelessly|clumsily|crudely|dreadfully|hopelessly|horribly|ineptly|lazily|miserably|poorly|"
     "sloppily|stupidly|terribly|woefully"},
    {"participle",
     "acted|assembled|balanced|composed|crafted|directed|edited|executed|judged|paced|performed|played|realized|"
     "scored|staged|told|written"},
    {"overdone",
     "botched|bungled|confused|mangled|mishandled|misjudged|miscast|overcooked|padded|rushed|undercooked|wasted|"
     "overplayed|misconceived|stretched"},
    {"quality+",
     "affection|assurance|beauty|brilliance|charm|class|compassion|confidence|conviction|depth|dignity|elegance|"
     "energy|feeling|finesse|flair|genius|grace|heart|humanity|humor|imagination|insight|intelligence|invention|joy|"
     "love|mastery|passion|poetry|precision|sensitivity|sincerity|skill|soul|spirit|style|subtlety|talent|tenderness|"
     "truth|understanding|verve|vitality|warmth|wisdom|wit|wonder"},
    {"quality-",
     "arrogance|bad taste|boredom|carelessness|clichés|confusion|contempt|cynicism|desperation|dullness|emptiness|"
     "excess|fatigue|filler|gimmicks|haste|hysteria|ignorance|incompetence|indifference|indulgence|laziness|monotony|"
     "nonsense|noise|padding|platitudes|posturing|pretension|repetition|sentimentality|silliness|sloppiness|"
     "stereotypes|stupidity|vanity|vulgarity|self-importance|clumsiness|dead air|phoniness"},
    {"works+",
     "works|pays off|grows on you|earns every tear|rings true|holds together|never puts a foot wrong|sings|soars|"
     "comes alive|hits home|surprises to the end|delivers|clicks|stays with you"},
    {"works-",
     "falls apart|goes nowhere|makes no sense|collapses|never takes off|wears out its welcome|insults the viewer|"
     "misfires|falls flat|stalls|runs out of ideas|fizzles|rings false|drags|gets lost"},
    {"audience", "i|we|everybody around me|the audience|most of us|{company}|even {company}|the people behind me"},
    {"cared+",
     "laughed out loud|smiled|cared deeply|sat spellbound|wept|cheered|shed a tear|applauded|fell in love|could not "
     "look away|wanted more|forgot the time|gasped|got hooked|enjoyed every second"},
    {"cared-",
     "groaned|yawned|checked the time|stopped caring|fell asleep|felt cheated|wanted to leave|winced|gave up|walked "
     "out|looked for the exit|lost interest|wanted it to stop|sighed|cringed|felt nothing"},
    {"cared_about+",
     "believed in|cared about|liked at once|missed afterwards|rooted for|understood completely|worried about|wanted "
     "to hug"},
    {"cared_about-",
     "could not stand|could not believe in|laughed at|stopped caring about|wanted to slap|never believed|tried to "
     "forget|did not care about"},
    {"reaction+",
     "i loved every minute|it swept me away|i was enchanted|it made my week|i was pleasantly surprised|it won me "
     "over|i could not stop smiling|it knocked me out|i was glued to the screen|it exceeded my hopes|i wanted to see "
     "it again at once|it moved me more than i expected|i came out grinning|i had a great time|it restored my faith "
     "in {genre} films"},
    {"reaction-",
     "i hated every minute|it bored me silly|i was appalled|it ruined my week|i was badly let down|it lost me early|"
     "i could not stop yawning|it left a bad taste|i nearly switched it off|it failed my lowest hopes|i want my "
     "money back|it annoyed me more than i expected|i came out angry|i had a miserable time|it destroyed my faith in "
     "{genre} films"},
    {"achieved+",
     "has worked wonders|has made a gem|has struck gold|shows real mastery|has outdone everyone|has hit the mark|"
     "deserves every prize|has created something special"},
    {"achieved-",
     "has wasted everyone's time|has made a dud|has hit rock bottom|shows no talent|has embarrassed everyone|has "
     "missed the mark|deserves no prize|has created a disaster"},
    {"felt+", "adored|loved|treasured|admired|enjoyed|cherished|was won over by|fell for|was delighted by"},
    {"felt-", "despised|hated|regretted|resented|loathed|detested|was let down by|was bored by|was annoyed by"},
    {"left_me+",
     "breathless|happy|hopeful|in tears|grateful|enchanted|thrilled|deeply moved|with a smile|wanting more"},
    {"left_me-", "bored|angry|numb|indifferent|exhausted|confused|cold|with a headache|wanting my money back|sleepy"},
};
// clang-format on

}  // namespace

std::span<const Rule> opinion_rules() {
  return kRules;
}

}  // namespace wordsway::reviews
