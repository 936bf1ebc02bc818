#include "wordsway/text/words/known_names.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "wordsway/text/words/whole_words.h"

namespace wordsway {
namespace {

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// clang-format off: the tables are wrapped like prose
constexpr std::string_view kWeekdays = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday";
constexpr std::string_view kMonths =
    "January February March April May June July August September October November December";
constexpr std::string_view kFirstNames =
    "James John Robert Michael William David Richard Joseph Thomas Charles Christopher Daniel Matthew Anthony Paul "
    "Steven "
    "Andrew Kenneth Joshua Kevin Brian George Edward Ronald Timothy Jason Jeffrey Ryan Jacob Nicholas Eric Jonathan "
    "Stephen "
    "Larry Justin Scott Brandon Benjamin Samuel Gregory Frank Alexander Raymond Patrick Jack Dennis Jerry Tyler Aaron "
    "Henry "
    "Peter Adam Nathan Walter Oscar Simon Martin Oliver Leo Max Mary Patricia Jennifer Linda Elizabeth Barbara Susan "
    "Jessica "
    "Sarah Karen Nancy Lisa Betty Margaret Sandra Ashley Kimberly Emily Donna Michelle Carol Amanda Melissa Deborah "
    "Stephanie "
    "Rebecca Laura Sharon Cynthia Kathleen Amy Angela Shirley Anna Brenda Pamela Emma Nicole Helen Samantha Katherine "
    "Christine Rachel Carolyn Janet Catherine Maria Heather Diane Ruth Julie Olivia Joyce Virginia Victoria Kelly "
    "Lauren "
    "Martha Andrea Alice Julia Sofia Ahmed Ali Omar Fatima Carlos Juan Luis Ivan Olga Yuki Chen Wei Priya";
constexpr std::string_view kSurnames =
    "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson "
    "Anderson "
    "Taylor Moore Jackson Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young Allen "
    "Wright "
    "Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts Murphy Cook "
    "Rogers "
    "Morgan Cooper Peterson Bailey Reed Howard Ramos Cox Ward Richardson Watson Brooks Wood Bennett Gray Hughes Price "
    "Myers "
    "Long Foster Sanders Ross Morales Powell Sullivan Russell Ortiz Jenkins Perry Butler Barnes Fisher Schmidt Mueller "
    "Weber Rossi Ferrari Dubois Moreau Ivanov Kowalski Novak Tanaka Suzuki Kim Park Singh Patel Khan";
constexpr std::string_view kCities =
    "London Paris Berlin Madrid Rome Vienna Amsterdam Brussels Lisbon Athens Dublin Prague Warsaw Budapest Stockholm "
    "Oslo "
    "Copenhagen Helsinki Zurich Geneva Munich Hamburg Frankfurt Cologne Milan Naples Venice Florence Barcelona Seville "
    "Lyon Marseille Moscow Kiev Istanbul Cairo Lagos Nairobi Johannesburg Casablanca Dubai Tehran Baghdad Jerusalem "
    "Delhi "
    "Mumbai Karachi Dhaka Bangkok Singapore Jakarta Manila Hanoi Beijing Shanghai Seoul Tokyo Osaka Kyoto Sydney "
    "Melbourne "
    "Auckland Boston Chicago Houston Dallas Denver Seattle Portland Miami Atlanta Detroit Philadelphia Washington "
    "Toronto "
    "Montreal Vancouver Havana Lima Bogota Santiago Manchester Liverpool Edinburgh Glasgow Oxford Cambridge";
constexpr std::string_view kCountries =
    "France Germany Spain Italy Portugal Austria Switzerland Belgium Netherlands Denmark Sweden Norway Finland Iceland "
    "Ireland England Scotland Wales Britain Poland Hungary Romania Bulgaria Greece Turkey Russia Ukraine Egypt Morocco "
    "Algeria Nigeria Kenya Ethiopia Ghana Israel Iran Iraq Syria India Pakistan Bangladesh Thailand Vietnam Indonesia "
    "Malaysia Philippines China Japan Korea Australia Canada Mexico America Brazil Argentina Chile Peru Colombia "
    "Venezuela Cuba "
    "Jamaica";
constexpr std::string_view kPeoples =
    "French German Spanish Italian Portuguese Austrian Swiss Belgian Dutch Danish Swedish Norwegian Finnish Irish "
    "English "
    "Scottish Welsh British Polish Hungarian Romanian Greek Turkish Russian Ukrainian Egyptian African Indian "
    "Pakistani "
    "Chinese Japanese Korean Australian Canadian American Mexican Brazilian European Asian Arabic Hebrew Latin";
// clang-format on

}  // namespace

std::span<const NameGroup> known_names() {
  static const std::vector<NameGroup> groups = {
      {"weekday", split(kWeekdays), true},  {"month", split(kMonths), false},
      {"city", split(kCities), true},       {"country", split(kCountries), true},
      {"people", split(kPeoples), false},   {"first name", split(kFirstNames), false},
      {"surname", split(kSurnames), false},
  };
  return groups;
}

const NameGroup* group_of(std::string_view word) {
  static const std::unordered_map<std::string, const NameGroup*> groups = [] {
    std::unordered_map<std::string, const NameGroup*> result;
    for (const NameGroup& group : known_names())
      for (const std::string_view member : group.members) result.emplace(without_case(member), &group);
    return result;
  }();
  const auto found = groups.find(without_case(word));
  return found == groups.end() ? nullptr : found->second;
}

}  // namespace wordsway
