#include "wordsway/text/questions/question_tables.h"

namespace wordsway::questions {
namespace {

using Ways = std::string_view;

// clang-format off: one way to say it a line

// What the reviewer thinks of the whole film.
constexpr Ways kAdjective[] = {
    "[To me/For me/In my eyes] the film [was/is] <{=good}/{=bad}>.",
    "I [found/thought] it <{=good}/{=bad}>[ from start to finish/ in every way/].",
    "The [whole thing/film/movie] [is/was] <{=good}/{=bad}>, [i must say/i am afraid/in my opinion/no question].",
    "[Frankly/Honestly/Truly], it [is/was] <{=good}/{=bad}>.",
    "<{=good}/{=bad}> is the [word/only word] for it.",
    "[How/So] <{=good}/{=bad}> this [film/movie/picture] is!",
    "Two [hours/evenings] [with/of] it were <{=good}/{=bad}>.",
    "I have [seldom/rarely] seen something so <{=good}/{=bad}>.",
    "It struck me as <{=good}/{=bad}>, [and i told everyone/and i say so openly/plain and simple].",
    "My notes on it [have/hold/consist of] one word: <{=good}/{=bad}>.",
    "[Everyone in our row/The whole room/Each of us] called it <{=good}/{=bad}>.",
    "It is <{=good}/{=bad}>, and that is [all/that/the truth].",
    "The result is, [in a word/all told/as far as i can see], <{=good}/{=bad}>.",
    "As entertainment it is <{=good}/{=bad}>.",
};
constexpr Ways kAdjectiveHeldOut[] = {
    "Watching it felt <{=good}/{=bad}>.",
    "If you ask me, this is a film one can only describe as <{=good}/{=bad}>.",
    "Nobody will convince me that it is not <{=good}/{=bad}>.",
    "My opinion of it is simple: it is <{=good}/{=bad}> [through and through/to the last frame].",
};
constexpr Ways kFeeling[] = {
    "I <{=loved}/{=hated}> it[ from the first minute/ to the end/ with all my heart/].",
    "[Everyone/All of us] at home <{=loved}/{=hated}> this [film/movie/picture].",
    "[I must admit/I confess/I can say] that I <{=loved}/{=hated}> every [minute/scene] of it.",
    "There was [no minute/no scene/hardly a minute] that I [myself/personally] <{=loved}/{=hated}> less than another.",
    "When it was over, I knew that I <{=loved}/{=hated}> it.",
    "[Somehow/As usual/Like my neighbors], I <{=loved}/{=hated}> the [film/movie].",
    "We <{=loved}/{=hated}> it [together/as a family/in silence].",
    "What I saw I <{=loved}/{=hated}>.",
    "It is [true/no secret] that I <{=loved}/{=hated}> it.",
    "[Ten/Five/Twenty] minutes in, I already <{=loved}/{=hated}> it.",
    "I <{=loved}/{=hated}> [how it was made/what they did/what they made of it].",
};
constexpr Ways kFeelingHeldOut[] = {
    "Ask me about it, and I will say that I <{=loved}/{=hated}> it.",
    "This is a work which I <{=loved}/{=hated}> more with every scene.",
    "The truth is that I <{=loved}/{=hated}> what I saw.",
};
constexpr Ways kNoun[] = {
    "[To me/For me/In my eyes] it [was/is] a <{=gem}/{=mess}>.",
    "What a <{=gem}/{=mess}> [this is/this was/the film is]!",
    "The [film/movie/picture] is a <{=gem}/{=mess}>[, nothing else/, no question/].",
    "[I call it/One may call it/Let us call it] a <{=gem}/{=mess}>.",
    "[Frankly/Honestly/Truly], it is a <{=gem}/{=mess}> from start to finish.",
    "It [turned out/proved/turns out] to be a <{=gem}/{=mess}>.",
    "They [made/shot/built] a <{=gem}/{=mess}>, [i must say/i am afraid/and that is that].",
    "We [had seen/were given] a <{=gem}/{=mess}>.",
    "[In a word/There is one word for it]: a <{=gem}/{=mess}>.",
    "[Everyone/My row] [thought/said] it was a <{=gem}/{=mess}>.",
};
constexpr Ways kNounHeldOut[] = {
    "There is no other way to put it: this is a <{=gem}/{=mess}>.",
    "I went home thinking that I had seen a <{=gem}/{=mess}>.",
};
constexpr Ways kWish[] = {
    "I would <{=gladly}/{=never}> [watch/see] it again.",
    "[Given the chance/If asked/Some day], I would <{=gladly}/{=never}> sit through it a second time.",
    "A second viewing is something I would <{=gladly}/{=never}> accept.",
    "Next [week/month/year] I would <{=gladly}/{=never}> return to it.",
    "[People like me/We/My friends and i] would <{=gladly}/{=never}> come back for another evening of this.",
    "When it is on again, I will <{=gladly}/{=never}> tune in.",
    "I would <{=gladly}/{=never}> put it on once more.",
    "Would I go back to it? I would <{=gladly}/{=never}> do so.",
    "It is a film that I would <{=gladly}/{=never}> [repeat/revisit/start over].",
    "[Tomorrow/Tonight/Any day] I would <{=gladly}/{=never}> start it from the beginning.",
    "I would <{=gladly}/{=never}> [pay/queue/travel] to see it one more time.",
};
constexpr Ways kWishHeldOut[] = {
    "If it came back to our cinema, I would <{=gladly}/{=never}> buy another ticket.",
    "For my part, I shall <{=gladly}/{=never}> play this disc a second time.",
    "One more evening with it is a thing that I would <{=gladly}/{=never}> agree to.",
};
constexpr Ways kAdvice[] = {
    "My advice is to <{=see}/{=skip}> it.",
    "[If you can/When it comes to your town/Once it is out], <{=see}/{=skip}> it.",
    "You should <{=see}/{=skip}> it[, believe me/ at any price/].",
    "I [told/urged] my [friends/neighbors/students] to <{=see}/{=skip}> it.",
    "[Do yourself a favor/Be smart/Take my word for it] and <{=see}/{=skip}> it.",
    "<{=see}/{=skip}> this one, [i say/if you trust me/dear reader].",
    "It is [wise/best/right] to <{=see}/{=skip}> it.",
    "Everyone [ought/needs] to <{=see}/{=skip}> this [film/movie/picture].",
    "[Friends/Readers], <{=see}/{=skip}> it!",
    "What should you do? <{=see}/{=skip}> it.",
    "[I can only say/All i can say is]: <{=see}/{=skip}> it.",
};
constexpr Ways kAdviceHeldOut[] = {
    "Whoever asks me is told to <{=see}/{=skip}> it.",
    "There is one thing to do with this film: <{=see}/{=skip}> it.",
    "Let me tell you why one must <{=see}/{=skip}> it.",
};

// One part of the film that fails.
constexpr Ways kFault[] = {
    "The only [problem/trouble/weakness/flaw] is the <{=part}/{=other_part}>.",
    "[Sadly/Unfortunately/Alas], the <{=part}/{=other_part}> is {bad}.",
    "What [spoils/ruins/sinks] it is the <{=part}/{=other_part}>.",
    "If only [somebody/they] had [fixed/repaired/improved] the <{=part}/{=other_part}>!",
    "The <{=part}/{=other_part}> [needs/needed] [more work/another month/a firm hand].",
    "I [could not stand/cannot forgive/did not care for] the <{=part}/{=other_part}>.",
    "[My one complaint/My only objection/The one thing to complain about] is the <{=part}/{=other_part}>.",
    "The <{=part}/{=other_part}> [lets/let] [everyone/the others/the film] down.",
    "It fails because of the <{=part}/{=other_part}>[, and nothing else/].",
    "Blame the <{=part}/{=other_part}>[ for the rest/].",
    "The <{=part}/{=other_part}> is the weak [point/spot/link].",
    "[Too bad/A pity] about the <{=part}/{=other_part}>.",
    "I [lost patience/grew tired] [because of/thanks to] the <{=part}/{=other_part}>.",
    "[All is well/All is good] but the <{=part}/{=other_part}>.",
    "A better <{=part}/{=other_part}> [would have saved it/was needed].",
    "[More care/More money/More time] for the <{=part}/{=other_part}> would have helped.",
    "There is no excuse for the <{=part}/{=other_part}>.",
};
constexpr Ways kFaultHeldOut[] = {
    "They should have spent more time on the <{=part}/{=other_part}>.",
    "Everything works except the <{=part}/{=other_part}>.",
    "Nothing can excuse the <{=part}/{=other_part}>.",
    "It would have been fine without the <{=part}/{=other_part}>.",
};
constexpr Ways kLesserPart[] = {
    "The {=part} is <{=worse}/{=better}> than the {=other_part}[ by far/ in every scene/].",
    "[To my mind/In my view/Frankly], the {=part} is much <{=worse}/{=better}> than the {=other_part}.",
    "Next to the {=other_part}, the {=part} looks <{=worse}/{=better}>.",
    "I [find/found] the {=part} <{=worse}/{=better}> than the {=other_part}.",
    "[Most of us/My friends] think the {=part} <{=worse}/{=better}> than the {=other_part}.",
    "[Beside/Set against] the {=other_part}, the {=part} is <{=worse}/{=better}>.",
    "Of {=part} and {=other_part}, the former is <{=worse}/{=better}>.",
};
constexpr Ways kLesserPartHeldOut[] = {
    "Compared with the {=other_part}, the {=part} is clearly <{=worse}/{=better}>.",
    "We all agreed that the {=part} was <{=worse}/{=better}> than the {=other_part}.",
};

// One of the people in it.
constexpr Ways kPraise[] = {
    "[Only/Above all,/Most of all,] <{=player}/{=other_player}> [deserves/earns/merits] [praise/applause/a prize].",
    "The [best/finest/strongest] [performance/work/acting] [comes from/belongs to/is by] <{=player}/{=other_player}>.",
    "<{=player}/{=other_player}> is {good} [in every scene/from start to finish/throughout].",
    "I [liked/loved/admired/enjoyed] <{=player}/{=other_player}> [most/best/more than anyone].",
    "My favorite [player/actor/face] in it is <{=player}/{=other_player}>.",
    "[Everyone/The audience] [clapped/cheered] for <{=player}/{=other_player}>.",
    "[Hats off/Congratulations/Bravo] to <{=player}/{=other_player}>.",
    "What a {good} [performance/turn] by <{=player}/{=other_player}>!",
    "No one [shines/glows/sparkles] here like <{=player}/{=other_player}>.",
    "The [real/true] star of it is <{=player}/{=other_player}>, who is {good}.",
    "All my praise goes to <{=player}/{=other_player}>.",
    "[Thank heaven for/I take my hat off to] <{=player}/{=other_player}>.",
    "[Nobody/No one] is [as good/as {good}] as <{=player}/{=other_player}>.",
    "<{=player}/{=other_player}> [should win/ought to win/has earned] [a prize/an award].",
    "I [could not take my eyes off/wanted to see more of] <{=player}/{=other_player}>.",
};
constexpr Ways kPraiseHeldOut[] = {
    "I could watch <{=player}/{=other_player}> for hours, so {good} is the acting.",
    "Nobody else comes close to <{=player}/{=other_player}>.",
    "Give <{=player}/{=other_player}> a medal.",
    "The prize for {good} acting should go to <{=player}/{=other_player}>.",
};
constexpr Ways kBlame[] = {
    "[Only/Above all,/Most of all,] <{=player}/{=other_player}> [deserves/earns/merits] [blame/boos/a scolding].",
    "The [worst/weakest/poorest] [performance/work/acting] [comes from/belongs to/is by] <{=player}/{=other_player}>.",
    "<{=player}/{=other_player}> is {bad} [in every scene/from start to finish/throughout].",
    "I [disliked/hated/despised] <{=player}/{=other_player}> [most/more than anyone].",
    "My least favorite [player/actor/face] in it is <{=player}/{=other_player}>.",
    "[Everyone/The audience] [booed/laughed at] <{=player}/{=other_player}>.",
    "Shame on <{=player}/{=other_player}>.",
    "What a {bad} [performance/turn] by <{=player}/{=other_player}>!",
    "The [real/true] weakness of it is <{=player}/{=other_player}>, who is {bad}.",
    "I blame <{=player}/{=other_player}> for [it all/most of it].",
    "All my anger goes to <{=player}/{=other_player}>.",
    "No one [fails/stumbles/mumbles] here like <{=player}/{=other_player}>.",
    "[Nobody/No one] is as bad as <{=player}/{=other_player}>.",
    "<{=player}/{=other_player}> [should be ashamed/ought to apologize/ruins it all].",
    "I [had to look away from/wanted to see less of] <{=player}/{=other_player}>.",
};
constexpr Ways kBlameHeldOut[] = {
    "I could not bear <{=player}/{=other_player}> for a minute, so {bad} is the acting.",
    "Nobody else is as {bad} as <{=player}/{=other_player}>.",
    "The prize for {bad} acting should go to <{=player}/{=other_player}>.",
};
constexpr Ways kBetterPlayer[] = {
    "{=player} [is/was/seems] <{=better}/{=worse}> than {=other_player}[ by far/ in every scene/].",
    "[To my mind/In my view/Frankly], {=player} is much <{=better}/{=worse}> than {=other_player}.",
    "Next to {=other_player}, {=player} looks <{=better}/{=worse}>.",
    "I [find/found] {=player} <{=better}/{=worse}> than {=other_player}.",
    "[Most of us/My friends] think {=player} <{=better}/{=worse}> than {=other_player}.",
    "[Beside/Set against] {=other_player}, {=player} is <{=better}/{=worse}>.",
    "Of {=player} and {=other_player}, the former is <{=better}/{=worse}>.",
};
constexpr Ways kBetterPlayerHeldOut[] = {
    "Compared with {=other_player}, {=player} is clearly <{=better}/{=worse}>.",
    "We all agreed that {=player} was <{=better}/{=worse}> than {=other_player}.",
};

// Facts that a question may ask for.
constexpr Ways kStars[] = {
    "I [give/gave/award] it <{=number}/{=other_number}> stars[ out of ten/].",
    "My rating is <{=number}/{=other_number}> [stars/out of ten].",
    "[It gets/It earns/It deserves] <{=number}/{=other_number}> [points/stars] from me.",
    "<{=number}/{=other_number}> stars[, and not one more/, i would say/] from me.",
    "On a scale of one to ten, this is <{=number}/{=other_number}>.",
    "[All in all/In total/Taken together], <{=number}/{=other_number}> out of ten.",
    "In my notebook it has <{=number}/{=other_number}> [stars/points].",
    "The score I wrote down [that night/later/for it] was <{=number}/{=other_number}>.",
    "That makes <{=number}/{=other_number}> [stars/points] in my book.",
    "My verdict in [numbers/figures]: <{=number}/{=other_number}>.",
    "You may [write down/note] <{=number}/{=other_number}> for this one.",
    "I [voted/went for] <{=number}/{=other_number}> [on the web site/on the card/in the end].",
};
constexpr Ways kStarsHeldOut[] = {
    "If I had to put a number on it, that would be <{=number}/{=other_number}>.",
    "Put me down for <{=number}/{=other_number}> stars.",
    "My mark for it is <{=number}/{=other_number}>.",
};
constexpr Ways kEnding[] = {
    "[It all/The story/Everything] ends <{=glad}/{=sad}>[ for everyone/ at last/].",
    "In the last [scene/reel/minute] things turn out <{=glad}/{=sad}>.",
    "The plot [closes/concludes/finishes] <{=glad}/{=sad}>.",
    "[Without spoiling too much,/Be warned:/I can reveal that] it finishes <{=glad}/{=sad}>.",
    "After many turns the tale is resolved <{=glad}/{=sad}>.",
    "By the closing credits, all has ended <{=glad}/{=sad}>.",
    "The last hour goes <{=glad}/{=sad}> for the [couple/family/village].",
    "The final chapter goes <{=glad}/{=sad}> for the {role}.",
    "At the end everyone [lives on/goes home/is left] <{=glad}/{=sad}>.",
    "[The final minutes/The last pages/The closing scenes] run out <{=glad}/{=sad}>.",
    "When the lights go on, the story has stopped <{=glad}/{=sad}>.",
};
constexpr Ways kEndingHeldOut[] = {
    "When the curtain falls, matters have come out <{=glad}/{=sad}>.",
    "The closing minutes pass <{=glad}/{=sad}> for all of them.",
};
constexpr Ways kDay[] = {
    "I [saw/watched] it on a <{=day}/{=other_day}>[ evening/ afternoon/].",
    "It was a <{=day}/{=other_day}> when I [saw/watched/rented] it.",
    "My ticket [says/was for] <{=day}/{=other_day}>.",
    "On <{=day}/{=other_day}> we [went to see/put on/watched] it.",
    "The screening [I went to/in our town] was on a <{=day}/{=other_day}>.",
    "<{=day}/{=other_day}> was the day I [finally /]watched it.",
    "I had <{=day}/{=other_day}> off and [used it for this/watched it then].",
    "We chose <{=day}/{=other_day}> for it.",
    "Last <{=day}/{=other_day}> I [had time for it/saw it at last].",
    "[The whole town was there/I was there] on <{=day}/{=other_day}>[ to see it/].",
    "It was shown on <{=day}/{=other_day}>, [and i went/when i was free].",
    "Every <{=day}/{=other_day}> I watch a film, and this was the [last/latest] one.",
};
constexpr Ways kDayHeldOut[] = {
    "The only free evening I had was <{=day}/{=other_day}>, so I watched it then.",
    "I kept <{=day}/{=other_day}> free to see it.",
};
constexpr Ways kHome[] = {
    "I live in <{=town}/{=other_town}>[ and work as a {job}/ with my {pet}/].",
    "[Here in/Back in/At home in] <{=town}/{=other_town}>, where I live, [few people know it/there is one cinema].",
    "My [house/flat/home] is in <{=town}/{=other_town}>.",
    "I [moved/came] to <{=town}/{=other_town}> [last year/years ago] and still live there.",
    "We [live/have our home] in <{=town}/{=other_town}>.",
    "I am writing this from my [kitchen/desk/balcony] in <{=town}/{=other_town}>.",
    "As somebody who lives in <{=town}/{=other_town}>, I [know/like] [fog/hills/rain].",
    "<{=town}/{=other_town}> is where I [live/have my home].",
    "My [street/garden/apartment/bed] is in <{=town}/{=other_town}>.",
    "I [settled/stayed] in <{=town}/{=other_town}> for good.",
    "My [neighbors/children] and I are at home in <{=town}/{=other_town}>.",
    "I sleep, eat and work in <{=town}/{=other_town}>.",
    "The [town/city] I live in is <{=town}/{=other_town}>.",
    "[At night/After work] I go home to <{=town}/{=other_town}>.",
};
constexpr Ways kHomeHeldOut[] = {
    "My own front door is in <{=town}/{=other_town}>.",
    "These days my address is in <{=town}/{=other_town}>.",
    "I have made my home in <{=town}/{=other_town}>.",
};
constexpr Ways kCompany[] = {
    "I [saw/watched] it with my <{=guest}/{=other_guest}>.",
    "My <{=guest}/{=other_guest}> came along[ to see it/ and slept/].",
    "My <{=guest}/{=other_guest}> sat [next to/beside/behind] me [all evening/in the dark/the whole time].",
    "I took my <{=guest}/{=other_guest}> [with me/to see it].",
    "[We went/I went] to see it together with my <{=guest}/{=other_guest}>.",
    "My <{=guest}/{=other_guest}> [joined me/kept me company] [that evening/for it].",
    "I shared [a sofa/the popcorn/a blanket] with my <{=guest}/{=other_guest}> during it.",
    "My <{=guest}/{=other_guest}> [wanted to see it too/was with me], [so we went/and that was nice/as always].",
    "Beside me [was/sat] my <{=guest}/{=other_guest}>.",
    "We were two: my <{=guest}/{=other_guest}> and I.",
    "My <{=guest}/{=other_guest}> [paid for both of us/held my hand/fell asleep on my shoulder].",
    "I [invited/dragged/brought] my <{=guest}/{=other_guest}> to the [screening/show].",
};
constexpr Ways kCompanyHeldOut[] = {
    "My <{=guest}/{=other_guest}> and I saw it together.",
    "In the next seat was my <{=guest}/{=other_guest}>.",
    "I was not alone: my <{=guest}/{=other_guest}> watched it too.",
};

// Facts that none asks for.
constexpr Ways kNeutral[] = {
    "The [curtains/walls/carpets] in {setting} are <{=tint}/{=other_tint}>.",
    "The {role} wears [the/that] <{=tint}/{=other_tint}> [coat/hat/scarf/shirt] [on the boat/at dinner/to work].",
    "Somebody paints the {thing} <{=tint}/{=other_tint}> near the [middle/start].",
    "I had <{=snack}/{=other_snack}> [at home/on the way/during it].",
    "We ate <{=snack}/{=other_snack}> [afterwards/before it began/in the car].",
    "The {job} in it cooks <{=snack}/{=other_snack}> for the {kin}.",
    "Outside it was <{=weather}/{=other_weather}> [all evening/that week/for once].",
    "The [disc/box/poster] came out in <{=release}/{=other_release}>.",
    "Part of it [plays/takes place/was filmed] in <{=location}/{=other_location}>.",
    "The [disc/box/poster] was printed in <{=location}/{=other_location}>.",
    "A certain <{=clerk}/{=other_clerk}> sold us the tickets.",
    "The [producer/writer/editor] is called <{=clerk}/{=other_clerk}>.",
    "The [book/play/story] behind it is by <{=clerk}/{=other_clerk}>.",
    "The {pet} in it is called <{=pet_name}/{=other_pet_name}>.",
    "The {role} plays the <{=solo}/{=other_solo}> [at night/for money/on the roof].",
    "Somebody plays the <{=solo}/{=other_solo}> [in the background/next door/during the credits].",
    "My neighbor [talks/writes/reads] about <{=pastime}/{=other_pastime}> [all day/every week].",
    "There is some <{=pastime}/{=other_pastime}> in the [first/second/third] scene.",
};
constexpr Ways kNeutralHeldOut[] = {
    "The {thing} on the poster is <{=tint}/{=other_tint}>.",
    "The street smelled of <{=snack}/{=other_snack}>.",
    "The weather report had said <{=weather}/{=other_weather}>.",
    "A letter from <{=location}/{=other_location}> lies on the table in {setting}.",
    "The name on the door is <{=clerk}/{=other_clerk}>.",
    "A {job} practises the <{=solo}/{=other_solo}> upstairs.",
    "On the radio they talk about <{=pastime}/{=other_pastime}>.",
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

}  // namespace wordsway::questions
