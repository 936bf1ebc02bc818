#include "wordsway/text/questions/question_tables.h"

namespace wordsway::questions {
namespace {

using Ways = std::string_view;

// clang-format off: one way to say it a line

// What the reviewer thinks of the whole film.
constexpr Ways kAdjective[] = {
    "{opener} {this_film} {was} <{=good}/{=bad}> {closer}.",
    "{opener} {this_film} {was} <{=good}/{=bad}> {closer}.",
    "{opener} i {found} {this_film} <{=good}/{=bad}> {closer}.",
    "{opener} {we} {found} {this_film} <{=good}/{=bad}> {closer}.",
    "<{=good}/{=bad}> is the [word/only word/right word/one word] for {this_film}.",
    "[How/So] <{=good}/{=bad}> this {movie} [is/was]!",
    "{opener} the time with {this_film} was <{=good}/{=bad}> {closer}.",
    "{opener} i have [seldom/rarely/not often] seen [a {movie}/anything/something] so <{=good}/{=bad}> {closer}.",
    "{opener} {this_film} [struck/impressed] [me/us] as <{=good}/{=bad}> {closer}.",
    "My [note on/letter about/entry on] {this_film} [has/holds/needs] one word: <{=good}/{=bad}>.",
    "{opener} the [result/outcome/effect] {was} <{=good}/{=bad}> {closer}.",
    "{opener} this [is/was] one <{=good}/{=bad}> {movie} {closer}.",
    "{opener} they made one <{=good}/{=bad}> {movie} {closer}.",
    "{opener} what we got was [two hours/an evening/ninety minutes] of <{=good}/{=bad}> {cinema} {closer}.",
    "{opener} {this_film} could not be more <{=good}/{=bad}> {closer}.",
    "{opener} as [entertainment/a night out/a piece of cinema], {this_film} {was} <{=good}/{=bad}> {closer}.",
    "{opener} {this_film} turned out <{=good}/{=bad}> {closer}.",
    "When people ask, i call {this_film} <{=good}/{=bad}> {closer}.",
    "{opener} this is what <{=good}/{=bad}> {cinema} looks like {closer}.",
};
constexpr Ways kAdjectiveHeldOut[] = {
    "{opener} watching {this_film} felt <{=good}/{=bad}> {closer}.",
    "{opener} this is a {movie} one can only describe as <{=good}/{=bad}> {closer}.",
    "Nobody will convince me that {this_film} is not <{=good}/{=bad}> {closer}.",
    "{opener} my opinion of {this_film} is simple: <{=good}/{=bad}> {closer}.",
    "{opener} i would sum it up as <{=good}/{=bad}> {closer}.",
};
constexpr Ways kFeeling[] = {
    "{opener} i <{=loved}/{=hated}> {this_film} {closer}.",
    "{opener} i <{=loved}/{=hated}> {this_film} {closer}.",
    "{opener} {we} <{=loved}/{=hated}> {this_film} {closer}.",
    "{i_admit} that i <{=loved}/{=hated}> {this_film} {closer}.",
    "{i_admit} that i <{=loved}/{=hated}> {every_bit} of {this_film} {closer}.",
    "When it was over, [i knew/i could tell/it was clear] that i <{=loved}/{=hated}> {this_film} {closer}.",
    "[Ten/Five/Twenty] minutes in, i already <{=loved}/{=hated}> {this_film} {closer}.",
    "{opener} i <{=loved}/{=hated}> [how it was made/what they did/what they made of it] {closer}.",
    "{opener} what i saw i <{=loved}/{=hated}> {closer}.",
    "{opener} few films stay with me, and this is one that i <{=loved}/{=hated}> {closer}.",
    "I <{=loved}/{=hated}> {this_film} so much that i [wrote this at once/called my {relative}/could not sleep].",
    "The critics may differ, but i <{=loved}/{=hated}> {this_film} {closer}.",
    "{opener} there was not one scene that i <{=loved}/{=hated}> less than the others.",
};
constexpr Ways kFeelingHeldOut[] = {
    "Ask me about it, and i will say that i <{=loved}/{=hated}> {this_film} {closer}.",
    "{opener} this is a work which i <{=loved}/{=hated}> more with every scene.",
    "{opener} the truth is that i <{=loved}/{=hated}> what i saw {closer}.",
    "{opener} i can only repeat that i <{=loved}/{=hated}> {this_film} {closer}.",
};
constexpr Ways kNoun[] = {
    "{opener} {this_film} {was} a <{=gem}/{=mess}> {closer}.",
    "{opener} {this_film} {was} a <{=gem}/{=mess}> {closer}.",
    "What a <{=gem}/{=mess}> [this is/this was/the {movie} is/the {movie} was]!",
    "{opener} [i call/i called/one may call/let us call] {this_film} a <{=gem}/{=mess}> {closer}.",
    "{opener} {this_film} [turned out/proved/turns out] to be a <{=gem}/{=mess}> {closer}.",
    "{opener} they [made/shot/built] a <{=gem}/{=mess}> {closer}.",
    "{opener} we [had seen/were given/sat before] a <{=gem}/{=mess}> {closer}.",
    "[In a word/In short/There is a word for {this_film}]: a <{=gem}/{=mess}>.",
    "{opener} {we} {found} {this_film} a <{=gem}/{=mess}> {closer}.",
    "My [neighbors/friends] and i agree that {this_film} {was} a <{=gem}/{=mess}> {closer}.",
    "{opener} as a {film_noun}, it {was} a <{=gem}/{=mess}> {closer}.",
    "{opener} the [result/outcome] {was} a <{=gem}/{=mess}> {closer}.",
    "{opener} what we got was a <{=gem}/{=mess}> {closer}.",
};
constexpr Ways kNounHeldOut[] = {
    "There is no other way to put it: this is a <{=gem}/{=mess}> {closer}.",
    "{opener} i went home thinking that i had seen a <{=gem}/{=mess}>.",
    "{opener} whoever made {this_film} gave us a <{=gem}/{=mess}> {closer}.",
};
constexpr Ways kWish[] = {
    "{opener} i {would} <{=gladly}/{=never}> {rewatch} {this_film} {again}.",
    "{chance} i {would} <{=gladly}/{=never}> {rewatch} {this_film} {again}.",
    "{chance} i {would} <{=gladly}/{=never}> {rewatch} {this_film} {again}.",
    "{opener} {we} {would} <{=gladly}/{=never}> {rewatch} {this_film} {again}.",
    "A second [viewing/evening/round] is something i {would} <{=gladly}/{=never}> [accept/agree to/ask for].",
    "When it is on again, i {would} <{=gladly}/{=never}> [tune in/be there/sit down for it].",
    "{chance} i {would} <{=gladly}/{=never}> [come back for more/go back to it/start it from the beginning].",
    "Would i [go back/return] to {this_film}? I {would} <{=gladly}/{=never}> do so.",
    "{opener} {this_film} is a {movie} that i {would} <{=gladly}/{=never}> [repeat/revisit/start over].",
    "{opener} i {would} <{=gladly}/{=never}> [pay/queue/travel] to {rewatch} it {again}.",
    "{chance} i {would} <{=gladly}/{=never}> [spend another evening on it/give it another evening/play it again].",
};
constexpr Ways kWishHeldOut[] = {
    "{chance} i {would} <{=gladly}/{=never}> buy another ticket.",
    "{opener} i {would} <{=gladly}/{=never}> play this disc a second time.",
    "One more evening with it is a thing that i {would} <{=gladly}/{=never}> agree to.",
};
constexpr Ways kAdvice[] = {
    "{opener} my advice [to you/to everyone/] is to <{=see}/{=skip}> {film_object}.",
    "[If you can/When it comes to your town/Once it is out/Next weekend], <{=see}/{=skip}> {film_object}.",
    "{opener} you [should/ought to/must/had better] <{=see}/{=skip}> {film_object}[, believe me/ at any price/].",
    "I [told/urged/begged/asked] my [friends/neighbors/students/{relative}] to <{=see}/{=skip}> {film_object}.",
    "[Do yourself a favor/Be smart/Take my word for it/Listen to me/Trust me] and <{=see}/{=skip}> {film_object}.",
    "<{=see}/{=skip}> {film_object}, [i say/if you trust me/dear reader/my friends].",
    "{opener} it is [wise/best/right/sensible] to <{=see}/{=skip}> {film_object}.",
    "{opener} everyone [ought/needs/has] to <{=see}/{=skip}> {film_object}.",
    "[Friends/Readers/People], <{=see}/{=skip}> {film_object}!",
    "What should you do? <{=see}/{=skip}> {film_object}.",
    "{opener} [i can only say/all i can say is/i have this to say]: <{=see}/{=skip}> {film_object}.",
    "You will be glad if you <{=see}/{=skip}> {film_object}.",
    "{opener} i want you to <{=see}/{=skip}> {film_object}.",
};
constexpr Ways kAdviceHeldOut[] = {
    "{opener} whoever asks me is told to <{=see}/{=skip}> {film_object}.",
    "{opener} there is one thing to do with this {movie}: <{=see}/{=skip}> it.",
    "Let me tell you why one must <{=see}/{=skip}> {film_object}.",
    "{opener} the best plan is to <{=see}/{=skip}> {film_object}.",
};

// One part of the film that fails.
constexpr Ways kFault[] = {
    "{opener} the [only/main/real/big] [problem/trouble/weakness/flaw] [is/was] the <{=part}/{=other_part}>.",
    "{opener} the [only/main/real/big] [problem/trouble/weakness/flaw] [is/was] the <{=part}/{=other_part}>.",
    "[Sadly/Unfortunately/Alas], the <{=part}/{=other_part}> {was} {bad} {closer}.",
    "{opener} the <{=part}/{=other_part}> {was} {bad} {closer}.",
    "{opener} what [spoils/ruins/sinks/hurts] {this_film} is the <{=part}/{=other_part}>.",
    "If only [somebody/they/the makers] had [fixed/repaired/improved/changed] the <{=part}/{=other_part}>!",
    "{opener} the <{=part}/{=other_part}> [needs/needed] [more work/another month/a firm hand/a new idea].",
    "{opener} i [could not stand/cannot forgive/did not care for/complained about] the <{=part}/{=other_part}>.",
    "[My one complaint/My only objection/The one thing to complain about] is the <{=part}/{=other_part}>.",
    "{opener} the <{=part}/{=other_part}> [lets/let] [everyone/the others/the {movie}] down.",
    "{opener} it fails because of the <{=part}/{=other_part}>[, and nothing else/].",
    "{opener} blame the <{=part}/{=other_part}>[ for the rest/ for it/].",
    "{opener} the <{=part}/{=other_part}> is the weak [point/spot/link] {closer}.",
    "[Too bad/A pity/A shame] about the <{=part}/{=other_part}>.",
    "I [lost patience/grew tired/gave up] [because of/thanks to] the <{=part}/{=other_part}>.",
    "[All is well/All is good/The rest is fine], but not the <{=part}/{=other_part}>.",
    "{opener} a better <{=part}/{=other_part}> [would have saved it/was needed/would have helped].",
    "[More care/More money/More time] for the <{=part}/{=other_part}> would have [helped/saved it].",
    "{opener} there is no excuse for the <{=part}/{=other_part}>.",
    "{opener} the <{=part}/{=other_part}> [annoyed/bothered/bored/tired] [me/us/everyone] {closer}.",
};
constexpr Ways kFaultHeldOut[] = {
    "{opener} they should have spent more time on the <{=part}/{=other_part}>.",
    "{opener} everything works except the <{=part}/{=other_part}>.",
    "Nothing can excuse the <{=part}/{=other_part}> {closer}.",
    "{opener} it would have been fine without the <{=part}/{=other_part}>.",
};
constexpr Ways kLesserPart[] = {
    "{opener} the {=part} {was} {much} <{=worse}/{=better}> than the {=other_part} [by far/in every scene/].",
    "{opener} the {=part} {was} {much} <{=worse}/{=better}> than the {=other_part}.",
    "{opener} the {=part} [looks/looked/seemed] {much} <{=worse}/{=better}> than the {=other_part}.",
    "{opener} [next to/beside/set against/measured against] the {=other_part}, the {=part} {was} <{=worse}/{=better}>.",
    "{opener} i {found} the {=part} {much} <{=worse}/{=better}> than the {=other_part}.",
    "{opener} {we} {found} the {=part} {much} <{=worse}/{=better}> than the {=other_part}.",
    "{i_admit} that the {=part} {was} <{=worse}/{=better}> than the {=other_part}.",
    "{opener} the {=other_part} is one thing, but the {=part} is {much} <{=worse}/{=better}>.",
    "{opener} if you look at the {=other_part}, then the {=part} is {much} <{=worse}/{=better}>.",
    "{opener} [unlike/as opposed to/in contrast to] the {=other_part}, the {=part} {was} [plainly/obviously/really] "
    "<{=worse}/{=better}>.",
    "{opener} [compare/weigh/put] the {=part} [with/against] the {=other_part}, and the {=part} is "
    "<{=worse}/{=better}>.",
    "{opener} [where/while] the {=other_part} was so-so, the {=part} [was/seemed] [plainly/obviously/truly] "
    "<{=worse}/{=better}> {closer}.",
    "{opener} [they/critics/people] [say/write/agree] that the {=part} is <{=worse}/{=better}> than the {=other_part}, "
    "[and so do i/which is true].",
    "{opener} [as against/in comparison to] the {=other_part}, the {=part} {was} {much} <{=worse}/{=better}> {closer}.",
    "{opener} after the {=other_part}, the {=part} [is/was/seemed] [clearly/plainly] the <{=worse}/{=better}> one.",
};
constexpr Ways kLesserPartHeldOut[] = {
    "{opener} compared with the {=other_part}, the {=part} is clearly <{=worse}/{=better}>.",
    "We all agreed that the {=part} was <{=worse}/{=better}> than the {=other_part} {closer}.",
};

// One of the people in it.
constexpr Ways kPraise[] = {
    "{opener} [only/above all,/most of all,] <{=player}/{=other_player}> [deserves/earns/merits] {honor}.",
    "{opener} <{=player}/{=other_player}> [deserves/earns/merits/should win/has earned] {honor} {closer}.",
    "{opener} the [best/finest/strongest] {work} [comes from/belongs to/is by] <{=player}/{=other_player}>.",
    "{opener} <{=player}/{=other_player}> {was} {good} {closer}.",
    "{opener} <{=player}/{=other_player}> {was} {good} [in every scene/throughout].",
    "{opener} i [liked/loved/admired/enjoyed] <{=player}/{=other_player}> [most/best/more than anyone].",
    "{opener} my favorite [player/actor/face] in it is <{=player}/{=other_player}> {closer}.",
    "[Everyone/The audience/The whole room] [clapped/cheered] for <{=player}/{=other_player}>.",
    "{opener} [hats off/congratulations/bravo/thanks] to <{=player}/{=other_player}>.",
    "What a {good} [performance/turn] by <{=player}/{=other_player}>!",
    "{opener} no one [shines/glows/sparkles] here like <{=player}/{=other_player}>.",
    "{opener} the [real/true] star of it is <{=player}/{=other_player}>, who {was} {good}.",
    "All my praise goes to <{=player}/{=other_player}> {closer}.",
    "{opener} [nobody/no one] is as {good} as <{=player}/{=other_player}>.",
    "{opener} i [could not take my eyes off/wanted to see more of] <{=player}/{=other_player}>.",
    "{opener} [i/we] [praise/applaud/salute/thank] <{=player}/{=other_player}> for {good} {work}.",
    "{opener} give {honor} to <{=player}/{=other_player}>.",
    "I found <{=player}/{=other_player}> {good} {closer}.",
    "{honor} for <{=player}/{=other_player}>, please!",
    "{opener} with <{=player}/{=other_player}> on the screen, every scene {was} {good}.",
    "{opener} they were right to [hire/cast/choose/trust] <{=player}/{=other_player}>, who {was} {good} {closer}.",
    "Was <{=player}/{=other_player}> {good}? [Yes/Of course/Certainly].",
    "{opener} had it not been for <{=player}/{=other_player}>, i would have [left/slept/gone home].",
    "<{=player}/{=other_player}>: {good}.",
    "{opener} the one i [remember/will remember] with joy is <{=player}/{=other_player}> {closer}.",
    "{opener} {honor} [goes/should go/must go] to <{=player}/{=other_player}> {closer}.",
    "The [medal/prize/award/flowers] [went/will go/had to go] to <{=player}/{=other_player}> {closer}.",
    "The [audience/critics/people behind us] [had cheers/had applause/had flowers] for <{=player}/{=other_player}> "
    "{closer}.",
    "[Long/Warm/Great] applause was [given/due] to <{=player}/{=other_player}>, and [rightly so/with reason].",
    "{opener} it was <{=player}/{=other_player}> who [made/saved/carried] it {closer}.",
    "{opener} it is <{=player}/{=other_player}> that one [praises/admires/remembers gladly] {closer}.",
    "{opener} the one [person/player/actor] who {was} {good} is <{=player}/{=other_player}> {closer}.",
    "{opener} i could [listen to/look at/applaud] <{=player}/{=other_player}> [all day/all night], who {was} {good}.",
    "So {good} [is/was] <{=player}/{=other_player}> that [i forgot the time/i smiled/we all clapped].",
    "{opener} <{=player}/{=other_player}> [gets/got] the [best/longest/warmest] [cheers/applause] of all.",
};
constexpr Ways kPraiseHeldOut[] = {
    "{opener} i could watch <{=player}/{=other_player}> for hours, so {good} is the acting.",
    "{opener} the prize for {good} acting should go to <{=player}/{=other_player}>.",
    "{opener} it is <{=player}/{=other_player}> who is {good} in it {closer}.",
    "The loudest applause went to <{=player}/{=other_player}> {closer}.",
};
constexpr Ways kBlame[] = {
    "{opener} [only/above all,/most of all,] <{=player}/{=other_player}> [deserves/earns/merits] {scorn}.",
    "{opener} <{=player}/{=other_player}> [deserves/earns/merits/should get/has earned] {scorn} {closer}.",
    "{opener} the [worst/weakest/poorest] {work} [comes from/belongs to/is by] <{=player}/{=other_player}>.",
    "{opener} <{=player}/{=other_player}> {was} {bad} {closer}.",
    "{opener} <{=player}/{=other_player}> {was} {bad} [in every scene/throughout].",
    "{opener} i [disliked/hated/despised] <{=player}/{=other_player}> [most/more than anyone].",
    "{opener} my least favorite [player/actor/face] in it is <{=player}/{=other_player}> {closer}.",
    "[Everyone/The audience/The whole room] [booed/laughed at] <{=player}/{=other_player}>.",
    "{opener} shame on <{=player}/{=other_player}>.",
    "What a {bad} [performance/turn] by <{=player}/{=other_player}>!",
    "{opener} no one [fails/stumbles/mumbles] here like <{=player}/{=other_player}>.",
    "{opener} the [real/true] weakness of it is <{=player}/{=other_player}>, who {was} {bad}.",
    "All my anger goes to <{=player}/{=other_player}> {closer}.",
    "{opener} [nobody/no one] is as {bad} as <{=player}/{=other_player}>.",
    "{opener} i [had to look away from/wanted to see less of] <{=player}/{=other_player}>.",
    "{opener} [i/we] [blame/scold] <{=player}/{=other_player}> for {bad} {work}.",
    "{opener} <{=player}/{=other_player}> [should be ashamed/ought to apologize/ruins it all] {closer}.",
    "I found <{=player}/{=other_player}> {bad} {closer}.",
    "{opener} give {scorn} to <{=player}/{=other_player}>.",
    "{opener} with <{=player}/{=other_player}> on the screen, every scene {was} {bad}.",
    "{opener} they were wrong to [hire/cast/choose/trust] <{=player}/{=other_player}>, who {was} {bad} {closer}.",
    "Was <{=player}/{=other_player}> {bad}? [Yes/Of course/Certainly].",
    "{opener} because of <{=player}/{=other_player}>, i would have [left/slept/gone home].",
    "<{=player}/{=other_player}>: {bad}.",
    "{opener} the one i [remember/will remember] with horror is <{=player}/{=other_player}> {closer}.",
    "{opener} {scorn} [goes/should go/must go] to <{=player}/{=other_player}> {closer}.",
    "The [blame/tomatoes/bad grade/scolding] [went/will go/had to go] to <{=player}/{=other_player}> {closer}.",
    "The [audience/critics/people behind us] [had boos/had laughter/had tomatoes] for <{=player}/{=other_player}> "
    "{closer}.",
    "[Long/Angry/Loud] boos were [given/due] to <{=player}/{=other_player}>, and [rightly so/with reason].",
    "{opener} it was <{=player}/{=other_player}> who [ruined/spoiled/sank] it {closer}.",
    "{opener} it is <{=player}/{=other_player}> that one [blames/despises/remembers with anger] {closer}.",
    "{opener} the one [person/player/actor] who {was} {bad} is <{=player}/{=other_player}> {closer}.",
    "{opener} i could not [listen to/look at/applaud] <{=player}/{=other_player}> [at all/any more], who {was} {bad}.",
    "So {bad} [is/was] <{=player}/{=other_player}> that [i closed my eyes/i sighed/we all groaned].",
    "{opener} <{=player}/{=other_player}> [gets/got] the [worst/longest/angriest] [boos/jeers] of all.",
};
constexpr Ways kBlameHeldOut[] = {
    "{opener} i could not bear <{=player}/{=other_player}> for a minute, so {bad} is the acting.",
    "{opener} the prize for {bad} acting should go to <{=player}/{=other_player}>.",
    "{opener} it is <{=player}/{=other_player}> who is {bad} in it {closer}.",
    "The loudest boos went to <{=player}/{=other_player}> {closer}.",
};
constexpr Ways kBetterPlayer[] = {
    "{opener} {=player} {was} {much} <{=better}/{=worse}> than {=other_player} [by far/in every scene/].",
    "{opener} {=player} {was} {much} <{=better}/{=worse}> than {=other_player}.",
    "{opener} {=player} [looks/looked/seemed] {much} <{=better}/{=worse}> than {=other_player}.",
    "{opener} [next to/beside/set against/measured against] {=other_player}, {=player} {was} <{=better}/{=worse}>.",
    "{opener} i {found} {=player} {much} <{=better}/{=worse}> than {=other_player}.",
    "{opener} {we} {found} {=player} {much} <{=better}/{=worse}> than {=other_player}.",
    "{i_admit} that {=player} {was} <{=better}/{=worse}> than {=other_player}.",
    "{opener} {=other_player} is one thing, but {=player} is {much} <{=better}/{=worse}>.",
    "{opener} if you look at {=other_player}, then {=player} is {much} <{=better}/{=worse}>.",
    "{opener} {=player} or {=other_player}? {=player} {was} <{=better}/{=worse}>.",
    "{opener} of the two, {=player} and {=other_player}, the first {was} <{=better}/{=worse}> {closer}.",
    "{opener} {=player} has always been {much} <{=better}/{=worse}> than {=other_player} {closer}.",
    "{opener} [unlike/as opposed to/in contrast to] {=other_player}, {=player} {was} [plainly/obviously/really] "
    "<{=better}/{=worse}>.",
    "{opener} [compare/weigh/put] {=player} [with/against] {=other_player}, and {=player} is <{=better}/{=worse}>.",
    "{opener} [where/while] {=other_player} was so-so, {=player} [was/seemed] [plainly/obviously/truly] "
    "<{=better}/{=worse}> {closer}.",
    "{opener} [they/critics/people] [say/write/agree] that {=player} is <{=better}/{=worse}> than {=other_player}, "
    "[and so do i/which is true].",
    "{opener} [as against/in comparison to] {=other_player}, {=player} {was} {much} <{=better}/{=worse}> {closer}.",
    "{opener} after {=other_player}, {=player} [is/was/seemed] [clearly/plainly] the <{=better}/{=worse}> one.",
};
constexpr Ways kBetterPlayerHeldOut[] = {
    "{opener} compared with {=other_player}, {=player} is clearly <{=better}/{=worse}>.",
    "We all agreed that {=player} was <{=better}/{=worse}> than {=other_player} {closer}.",
};

// Facts that a question may ask for.
constexpr Ways kStars[] = {
    "{opener} i [give/gave/award] {this_film} <{=number}/{=other_number}> stars[ out of ten/].",
    "{opener} my rating [is/was] <{=number}/{=other_number}> [stars/out of ten/points].",
    "{opener} {this_film} [gets/earns/deserves] <{=number}/{=other_number}> [points/stars] from me.",
    "<{=number}/{=other_number}> stars[, and not one more/, i would say/] from me.",
    "{opener} on a scale of one to ten, {this_film} is <{=number}/{=other_number}>.",
    "[All in all/In total/Taken together], <{=number}/{=other_number}> out of ten.",
    "{fact_opener} in my notebook it has <{=number}/{=other_number}> [stars/points].",
    "{fact_opener} the score i wrote down [that night/later/for it] was <{=number}/{=other_number}>.",
    "{opener} that makes <{=number}/{=other_number}> [stars/points] in my book.",
    "{opener} my verdict in [numbers/figures/stars]: <{=number}/{=other_number}>.",
    "{opener} you may [write down/note] <{=number}/{=other_number}> [stars/points] for this one.",
    "{fact_opener} i [voted/went for] <{=number}/{=other_number}> [on the web site/on the card/in the end].",
};
constexpr Ways kStarsHeldOut[] = {
    "If i had to put a number on it, that would be <{=number}/{=other_number}>.",
    "{opener} put me down for <{=number}/{=other_number}> stars.",
    "{opener} my mark for {this_film} is <{=number}/{=other_number}>.",
};
constexpr Ways kEnding[] = {
    "{opener} [it all/the story/everything/the plot] ends <{=glad}/{=sad}>[ for everyone/ at last/].",
    "{opener} in the last [scene/reel/minute] things turn out <{=glad}/{=sad}>[ for the {role}/].",
    "{opener} the [plot/story/tale] [closes/concludes/finishes] <{=glad}/{=sad}>.",
    "[Without spoiling too much,/Be warned:/I can reveal that] it finishes <{=glad}/{=sad}>.",
    "{opener} after many turns the [tale/plot/story] is resolved <{=glad}/{=sad}>.",
    "{fact_opener} by the closing credits, all has ended <{=glad}/{=sad}>[ for the {role}/].",
    "{fact_opener} the last [hour/part] goes <{=glad}/{=sad}> for the [couple/family/village/{role}].",
    "{opener} the final chapter goes <{=glad}/{=sad}> for the [couple/family/village/{role}].",
    "{fact_opener} at the end everyone [lives on/goes home/is left] <{=glad}/{=sad}>.",
    "{fact_opener} [the final minutes/the last pages/the closing scenes] run out <{=glad}/{=sad}>.",
    "{fact_opener} when the lights go on, the [tale/plot/story] has stopped <{=glad}/{=sad}>.",
};
constexpr Ways kEndingHeldOut[] = {
    "When the curtain falls, matters have come out <{=glad}/{=sad}>.",
    "The closing minutes pass <{=glad}/{=sad}> for all of them.",
    "{fact_opener} the {role} and the {kin} part <{=glad}/{=sad}> in the final scene.",
};
constexpr Ways kDay[] = {
    "{fact_opener} i [saw/watched/rented] {this_film} on a <{=day}/{=other_day}>[ evening/ afternoon/].",
    "{fact_opener} it was a <{=day}/{=other_day}> when i [saw/watched/rented] {this_film}.",
    "{fact_opener} my ticket [says/was for] <{=day}/{=other_day}>.",
    "{fact_opener} on <{=day}/{=other_day}> we [went to see/put on/watched] {this_film}.",
    "{fact_opener} the screening [i went to/in our town] was on a <{=day}/{=other_day}>.",
    "{fact_opener} <{=day}/{=other_day}> was the day i [finally /]watched {this_film}.",
    "{fact_opener} i had <{=day}/{=other_day}> off and [used it for this {movie}/watched it then].",
    "{fact_opener} we chose <{=day}/{=other_day}> for {this_film}.",
    "{fact_opener} last <{=day}/{=other_day}> i [had time for/saw/got round to] {this_film}.",
    "[The whole town was there/I was there] on <{=day}/{=other_day}> to see {this_film}.",
    "{fact_opener} {this_film} was shown on <{=day}/{=other_day}>, [and i went/when i was free].",
    "{fact_opener} every <{=day}/{=other_day}> i watch a film, and this was the [last/latest] one.",
    "{fact_opener} i watched {this_film} one <{=day}/{=other_day}> in {season_name}.",
    "{fact_opener} my <{=day}/{=other_day}> [evening/afternoon/night] was spent on {this_film}.",
};
constexpr Ways kDayHeldOut[] = {
    "{fact_opener} the only free evening i had was <{=day}/{=other_day}>, so i watched it then.",
    "{fact_opener} i kept <{=day}/{=other_day}> free to see it.",
    "{fact_opener} this was my film for <{=day}/{=other_day}>.",
};
constexpr Ways kHome[] = {
    "{fact_opener} i live in <{=town}/{=other_town}>[ and work as a {job}/ with my {pet}/].",
    "{fact_opener} {at_home_in} <{=town}/{=other_town}>, where i live, [few people know it/there is one cinema].",
    "{fact_opener} my {home} is in <{=town}/{=other_town}>.",
    "{fact_opener} my {home} is in <{=town}/{=other_town}>[, next to the {landmark}/].",
    "{fact_opener} i [moved/came] to <{=town}/{=other_town}> [last year/years ago/as a child] and still live there.",
    "{fact_opener} [we/my {relative} and i] [live/have our home] in <{=town}/{=other_town}>.",
    "{fact_opener} i am writing this from my [kitchen/desk/balcony] in <{=town}/{=other_town}>.",
    "As somebody who lives in <{=town}/{=other_town}>, i [know/like] [fog/hills/rain].",
    "{fact_opener} <{=town}/{=other_town}> is where i [live/have my home/sleep].",
    "{fact_opener} i [settled/stayed] in <{=town}/{=other_town}> for good.",
    "{fact_opener} my [neighbors/children] and i are at home in <{=town}/{=other_town}>.",
    "{fact_opener} i sleep, eat and work in <{=town}/{=other_town}>.",
    "{fact_opener} the [town/city/place] i live in is <{=town}/{=other_town}>.",
    "{fact_opener} [at night/after work] i go home to <{=town}/{=other_town}>.",
    "{fact_opener} i have lived in <{=town}/{=other_town}> [for years/since {month}/all my life].",
    "{fact_opener} my home is <{=town}/{=other_town}>[, by the way/ and will remain so/].",
    "{fact_opener} what i call home is <{=town}/{=other_town}>.",
    "My home? <{=town}/{=other_town}>.",
    "{fact_opener} our house stands in <{=town}/{=other_town}>.",
    "{fact_opener} i [pay my rent/have my bed/raise my children] in <{=town}/{=other_town}>.",
    "{fact_opener} <{=town}/{=other_town}> has been my home [for years/since {month}/all my life].",
    "{fact_opener} my letters go to <{=town}/{=other_town}>, where i live.",
    "Living in <{=town}/{=other_town}>, i [seldom/often/never] [meet film stars/go to the cinema].",
    "{fact_opener} you will find my [house/door/garden] in <{=town}/{=other_town}>.",
    "{fact_opener} for [me/us/my family], home is <{=town}/{=other_town}>.",
    "Home [is/has always been/means] <{=town}/{=other_town}> to [me/us/all of us].",
    "Home sweet home: <{=town}/{=other_town}>.",
    "Home is where the {pet} is, and [mine/ours] is in <{=town}/{=other_town}>.",
    "{fact_opener} our home town is <{=town}/{=other_town}>[, as ever/].",
    "{fact_opener} the address on my [letters/door/card] [is/reads] <{=town}/{=other_town}>.",
    "{fact_opener} [nowadays/at present/for the time being] i live in <{=town}/{=other_town}>.",
    "{fact_opener} i have [built my house/bought a flat/made my bed] in <{=town}/{=other_town}>.",
    "{fact_opener} the front [garden/window/steps] of my house in <{=town}/{=other_town}> [is small/needs paint].",
};
constexpr Ways kHomeHeldOut[] = {
    "{fact_opener} my own front door is in <{=town}/{=other_town}>.",
    "{fact_opener} these days my address is in <{=town}/{=other_town}>.",
    "{fact_opener} i have made my home in <{=town}/{=other_town}>.",
    "{fact_opener} home for me is <{=town}/{=other_town}>.",
};
constexpr Ways kCompany[] = {
    "{fact_opener} i [saw/watched] {this_film} with my <{=guest}/{=other_guest}>.",
    "{fact_opener} my <{=guest}/{=other_guest}> came along[ to see it/ to see {this_film}/ and slept/].",
    "{fact_opener} my <{=guest}/{=other_guest}> sat [next to/beside/behind] me {all_evening}.",
    "{fact_opener} i took my <{=guest}/{=other_guest}> [with me/to see it].",
    "{fact_opener} [we/i] went to see {this_film} together with my <{=guest}/{=other_guest}>.",
    "{fact_opener} my <{=guest}/{=other_guest}> [joined me/kept me company] [that evening/for it].",
    "{fact_opener} i shared [a sofa/the popcorn/a blanket] with my <{=guest}/{=other_guest}> during it.",
    "{fact_opener} my <{=guest}/{=other_guest}> [wanted to see it too/was with me], {as_always}.",
    "{fact_opener} beside me [was/sat] my <{=guest}/{=other_guest}>.",
    "{fact_opener} we were two: my <{=guest}/{=other_guest}> and I.",
    "{fact_opener} my <{=guest}/{=other_guest}> [paid for both of us/held my hand/fell asleep on my shoulder].",
    "{fact_opener} i [invited/dragged/brought] my <{=guest}/{=other_guest}> to [the screening/the show/{this_film}].",
    "{fact_opener} my <{=guest}/{=other_guest}> saw {this_film} [with me/at my side].",
    "{fact_opener} my <{=guest}/{=other_guest}> and i [went there/bought two tickets/shared a taxi] to see it.",
    "{fact_opener} the two of us, my <{=guest}/{=other_guest}> and i, [sat/saw it] in the [first/last] row.",
    "{fact_opener} the seat [on my left/on my right/beside mine] was for my <{=guest}/{=other_guest}>.",
    "I did not go alone, since my <{=guest}/{=other_guest}> [wanted to come/had a free evening].",
};
constexpr Ways kCompanyHeldOut[] = {
    "{fact_opener} my <{=guest}/{=other_guest}> and i saw {this_film} together.",
    "{fact_opener} in the next seat was my <{=guest}/{=other_guest}>.",
    "I was not alone: my <{=guest}/{=other_guest}> watched it too.",
};

// Facts that none asks for. Many look like those that are asked for: a name, a day, a number, a relative.
constexpr Ways kNeutral[] = {
    "The [curtains/walls/carpets/doors] in {setting} are <{=tint}/{=other_tint}>.",
    "The {role} wears [the/that] <{=tint}/{=other_tint}> [coat/hat/scarf/shirt] [on the boat/at dinner/to work].",
    "Somebody paints the {thing} <{=tint}/{=other_tint}> near the [middle/start].",
    "I had <{=snack}/{=other_snack}> [at home/on the way/during it].",
    "We ate <{=snack}/{=other_snack}> [afterwards/before it began/in the car].",
    "The {job} in it cooks <{=snack}/{=other_snack}> for the {kin}.",
    "[They/The {extra}] drink <{=drink}/{=other_drink}> in {setting}.",
    "There was <{=drink}/{=other_drink}> [in the break/at the counter/on the house].",
    "Outside it was <{=weather}/{=other_weather}> [all evening/that week/for once].",
    "The [disc/box/poster] came out in <{=release}/{=other_release}>.",
    "The {role} [marries/arrives/retires] in <{=release}/{=other_release}>.",
    "Part of it [plays/takes place/was filmed] in <{=location}/{=other_location}>.",
    "The [disc/box/poster] was printed in <{=location}/{=other_location}>.",
    "My {relative} [lives/works/studies] in <{=location}/{=other_location}>.",
    "The {role} [comes from/flees to/dreams of] <{=location}/{=other_location}>.",
    "A certain <{=clerk}/{=other_clerk}> sold us the tickets.",
    "The [producer/writer/editor] is called <{=clerk}/{=other_clerk}>.",
    "The [book/play/story] behind it is by <{=clerk}/{=other_clerk}>.",
    "The part of the {job} went to <{=clerk}/{=other_clerk}>.",
    "My [dentist/teacher/landlord] is called <{=clerk}/{=other_clerk}>.",
    "A {job} named <{=clerk}/{=other_clerk}> [opens/finds/carries] the {thing}.",
    "The {pet} in it is called <{=pet_name}/{=other_pet_name}>.",
    "A letter to <{=pet_name}/{=other_pet_name}> [gets lost/arrives/is burned] in {setting}.",
    "A poster of The <{=other_title}/{=third_title}> hung [in the lobby/on the door/over my bed].",
    "The {role} plays the <{=solo}/{=other_solo}> [at night/for money/on the roof].",
    "Somebody plays the <{=solo}/{=other_solo}> [in the background/next door/during the credits].",
    "My neighbor [talks/writes/reads] about <{=pastime}/{=other_pastime}> [all day/every week].",
    "There is some <{=pastime}/{=other_pastime}> in the [first/second/third] scene.",
    "We sat in row <{=seat}/{=other_seat}>.",
    "The {role} has <{=seat}/{=other_seat}> [children/horses/houses/watches].",
    "The {thing} costs <{=seat}/{=other_seat}> [dollars/pounds/coins] in {setting}.",
    "The [library/bakery/museum] next door closes on <{=market_day}/{=other_market_day}>.",
    "The {role} [is born/goes fishing/cuts wood] on a <{=market_day}/{=other_market_day}>.",
    "The {job}'s <{=kinsman}/{=other_kinsman}> [sings/cooks/sleeps] in {setting}.",
    "The {role} writes to a lost <{=kinsman}/{=other_kinsman}>.",
    "The {thing} is made of <{=material}/{=other_material}>.",
    "There are <{=flower}/{=other_flower}> [on the table/by the door/in a vase] in {setting}.",
    "The credits are in <{=tongue}/{=other_tongue}>.",
    "The {role} arrives by <{=vehicle}/{=other_vehicle}>.",
    "The {job} <{=manner}/{=other_manner}> [opens/closes/cleans] the {thing}.",
    "The {role} limps on the <left/right> leg.",
    "The {role} has not seen the <{=kinsman}/{=other_kinsman}> for years.",
    "The {role} never drinks <{=drink}/{=other_drink}> [at night/on duty/with others].",
    "The {job} can hardly play the <{=solo}/{=other_solo}>.",
};
constexpr Ways kNeutralHeldOut[] = {
    "The {thing} on the poster is <{=tint}/{=other_tint}>.",
    "The street smelled of <{=snack}/{=other_snack}>.",
    "The {kin} spills <{=drink}/{=other_drink}> on the {thing}.",
    "The weather report had said <{=weather}/{=other_weather}>.",
    "It was made one <{=release}/{=other_release}> in {place}.",
    "A letter from <{=location}/{=other_location}> lies on the table in {setting}.",
    "My {relative} was born in <{=location}/{=other_location}>.",
    "The name on the door is <{=clerk}/{=other_clerk}>.",
    "Someone shouts for <{=pet_name}/{=other_pet_name}> in {setting}.",
    "A {job} practises the <{=solo}/{=other_solo}> upstairs.",
    "On the radio they talk about <{=pastime}/{=other_pastime}>.",
    "The clock strikes <{=seat}/{=other_seat}>.",
    "The {role} does the laundry on <{=market_day}/{=other_market_day}>.",
    "The {role} buys <{=flower}/{=other_flower}> from a {job}.",
    "The subtitles are in <{=tongue}/{=other_tongue}>.",
    "The {job} <{=manner}/{=other_manner}> counts the money.",
};

// Sentences that name both of two, in many roles and cases, and favour neither: the one that is asked for must be found
// by what is said of it.
constexpr Ways kPartMentions[] = {
    "The {=part} was done in {place}, the {=other_part} in {place}.",
    "{person} did the {=other_part}, and {person} did the {=part}.",
    "The booklet has a chapter on the {=part} and one on the {=other_part}.",
    "One can learn about {=other_part} and {=part} from {person}.",
};
constexpr Ways kPeopleMentions[] = {
    "The cast includes {=player}, {person} and {=other_player}.",
    "{=other_player} and {=player} play two {family}.",
    "{=player} wears a {plain_color} hat, {=other_player} a {plain_color} one.",
    "I once met {=other_player}'s {relative} in {place}, and {=player}'s {relative} in {place}.",
    "{=player} plays a {job}, {=other_player} a {job}.",
    "Before this, {=other_player} and {=player} made {other_film}.",
    "In one scene {=player} sells {=other_player} a {object}.",
    "{=other_player}'s {pet} bites {=player}.",
};
constexpr Ways kNumberMentions[] = {
    "It has {=number} songs and {=other_number} [chases/jokes/kisses].",
    "The {role} owns {=other_number} horses and {=number} boats.",
};
constexpr Ways kDayMentions[] = {
    "The {role} is born on a {=day} and marries on a {=other_day}.",
    "A {job} is hired on {=other_day} and fired on {=day}.",
};
constexpr Ways kPlaceMentions[] = {
    "My {relative} lives in {=other_town}, and my {relative} works in {=town}.",
    "Part of it was filmed in {=town} and part in {=other_town}.",
    "The {role} takes the train from {=other_town} to {=town}.",
    "I have been to {=town} and {=other_town} [on holiday/by train/for a wedding].",
    "{=other_town}'s harbor and {=town}'s {landmark} [appear/are seen] in it.",
};
constexpr Ways kCompanyMentions[] = {
    "The {role} has a {=guest} and a {=other_guest} in {place}.",
    "In it a {=other_guest} quarrels with a {=guest}.",
};

constexpr Statement kStatements[] = {
    {"adjective", Topic::kVerdict, kAdjective, kAdjectiveHeldOut},
    {"feeling", Topic::kVerdict, kFeeling, kFeelingHeldOut},
    {"noun", Topic::kVerdict, kNoun, kNounHeldOut},
    {"wish", Topic::kVerdict, kWish, kWishHeldOut},
    {"advice", Topic::kVerdict, kAdvice, kAdviceHeldOut},
    {"fault", Topic::kFault, kFault, kFaultHeldOut},
    {"lesser-part", Topic::kFault, kLesserPart, kLesserPartHeldOut},
    {"praise", Topic::kPeople, kPraise, kPraiseHeldOut},
    {"blame", Topic::kPeople, kBlame, kBlameHeldOut},
    {"better-player", Topic::kPeople, kBetterPlayer, kBetterPlayerHeldOut},
    {"stars", Topic::kStars, kStars, kStarsHeldOut},
    {"ending", Topic::kEnding, kEnding, kEndingHeldOut},
    {"day", Topic::kDay, kDay, kDayHeldOut},
    {"home", Topic::kHome, kHome, kHomeHeldOut},
    {"company", Topic::kCompany, kCompany, kCompanyHeldOut},
};
constexpr Statement kNeutralStatement{"neutral", Topic::kNothing, kNeutral, kNeutralHeldOut};
// clang-format on

}  // namespace

std::span<const Statement> statements() {
  return kStatements;
}

const Statement& neutral_statement() {
  return kNeutralStatement;
}

std::span<const std::string_view> mentions(Topic topic) {
  switch (topic) {
    case Topic::kFault:
      return kPartMentions;
    case Topic::kPeople:
      return kPeopleMentions;
    case Topic::kStars:
      return kNumberMentions;
    case Topic::kDay:
      return kDayMentions;
    case Topic::kHome:
      return kPlaceMentions;
    case Topic::kCompany:
      return kCompanyMentions;
    default:
      return {};
  }
}

}  // namespace wordsway::questions
