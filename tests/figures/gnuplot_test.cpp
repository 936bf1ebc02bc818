// What a gnuplot that fails does to pictures: nothing. Others stand in for it, first on the PATH.
#include "wordsway/figures/gnuplot.h"

#include <cstdlib>

#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/environment.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kPicture = "printf '<?xml version=\"1.0\"?>\\n<svg></svg>\\n'";

class Gnuplot : public testing::Test {
 protected:
  Gnuplot() { std::filesystem::create_directory(folder_.path("bin")); }
  void stand_in(const std::string& script, bool executable = true) const {
    const auto program = folder_.path("bin") / "gnuplot";
    test::write_bytes(program, "#!/bin/sh\n" + script + "\n");
    using std::filesystem::perms;
    std::filesystem::permissions(program, executable ? perms::owner_all : perms::owner_read);
  }
  // What is said when the picture cannot be drawn; empty when it can.
  std::string failure(const std::string& script = "plot x", const std::string& name = "chart.svg") const {
    try {
      run_gnuplot({folder_.path(name)}, script);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }
  std::string picture() const { return test::read_bytes(folder_.path("chart.svg")); }

  test::TemporaryFolder folder_;
  test::EnvironmentVariable path_{"PATH", folder_.path("bin").string() + ":" + std::getenv("PATH")};
};

TEST_F(Gnuplot, GetsItsScriptAndNoSettings) {
  stand_in(std::string("cat > ") + folder_.path("script").string() + "; echo \"$@\" > " +
           folder_.path("arguments").string() + "; " + kPicture);
  EXPECT_EQ(failure("plot x**2"), "");
  EXPECT_THAT(test::read_bytes(folder_.path("script")), AllOf(HasSubstr("set terminal svg"), HasSubstr("plot x**2")));
  EXPECT_THAT(test::read_bytes(folder_.path("arguments")), HasSubstr("-d"));
  EXPECT_EQ(picture(), "<?xml version=\"1.0\"?>\n<svg></svg>\n");
}

TEST_F(Gnuplot, IsGivenNoCharacterWithoutAFontForWhatItDrawsItself) {
  stand_in(std::string("cat > ") + folder_.path("script").string() + "; " + kPicture);
  test::write_bytes(folder_.path("bin/fc-list"), "#!/bin/sh\necho '20-7e a0-17f 4e00-9fff'\n");
  std::filesystem::permissions(folder_.path("bin/fc-list"), std::filesystem::perms::owner_all);
  const std::string script = "set title " + gnuplot_quoted("naïve 世界 🙂1 \\");
  failure(script, "chart.png");
  EXPECT_THAT(test::read_bytes(folder_.path("script")),
              HasSubstr("set title \"na\\303\\257ve \\344\\270\\226\\347\\225\\214 ?\\061 \\134\""));
  failure(script, "chart.svg");
  EXPECT_THAT(test::read_bytes(folder_.path("script")), HasSubstr(script));
}

TEST_F(Gnuplot, ThatDrawsHalfAPictureSpoilsNone) {
  test::write_bytes(folder_.path("chart.svg"), "a good picture");
  stand_in("cat > /dev/null; printf '<?xml version=\"1.0\"?>\\n<svg><g>'");
  EXPECT_THAT(failure(), AllOf(HasSubstr("only a part"), HasSubstr("chart.svg")));
  EXPECT_EQ(picture(), "a good picture");
  for (const char* name : {"chart.pdf", "chart.png"}) {
    EXPECT_THAT(failure("plot x", name), HasSubstr("only a part"));
    EXPECT_FALSE(std::filesystem::exists(folder_.path(name))) << name;
  }
}

TEST_F(Gnuplot, ThatFailsOrIsKilledSpoilsNone) {
  test::write_bytes(folder_.path("chart.svg"), "a good picture");
  stand_in(std::string(kPicture) + "; echo 'line 3: no such thing' >&2; exit 1");
  EXPECT_EQ(failure(), "gnuplot failed: line 3: no such thing");
  stand_in(std::string(kPicture) + "; kill -11 $$");
  EXPECT_THAT(failure(), HasSubstr("signal 11"));
  EXPECT_EQ(picture(), "a good picture");
}

TEST_F(Gnuplot, MayEndBeforeItHasReadItsScript) {
  stand_in("echo 'no display' >&2; exit 1");
  EXPECT_EQ(failure(std::string(3'000'000, '#')), "gnuplot failed: no display");
}

TEST_F(Gnuplot, ThatCannotBeStartedIsNotCalledMissing) {
  // Alone on the PATH, for the search goes on after a file that is no program.
  const test::EnvironmentVariable path("PATH", folder_.path("bin").string());
  EXPECT_THAT(failure(), HasSubstr("not found"));
  stand_in("exit 0", /*executable=*/false);
  EXPECT_THAT(failure(), AllOf(HasSubstr("refused"), HasSubstr("Permission denied"), Not(HasSubstr("not found"))));
}

TEST_F(Gnuplot, LeavesNothingBesideThePicture) {
  stand_in(std::string("cat > /dev/null; ls -A ") + folder_.folder().string() + " > " + folder_.path("seen").string() +
           "; " + kPicture);
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(test::read_bytes(folder_.path("seen")), "bin\nseen\n") << "nothing a kill could leave behind";
}

}  // namespace
}  // namespace wordsway
