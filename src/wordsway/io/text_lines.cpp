#include "wordsway/io/text_lines.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/data_text.h"
#include "wordsway/io/input_file.h"

namespace wordsway {

TextLines::TextLines(std::unique_ptr<ByteSource> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)), buffer_(std::size_t{1} << 17) {}

bool TextLines::next(std::string& line) {
  if (has_put_back_) {
    line = std::move(put_back_);
    has_put_back_ = false;
    ++number_;
    return true;
  }
  line.clear();
  if (rest_.empty() && !refill()) return false;
  ++number_;
  while (true) {
    const std::size_t newline = rest_.find('\n');
    line.append(rest_.substr(0, newline));
    if (line.size() > kMaxLineBytes) throw DataError(fmt::format("{}: a line of more than 64 MiB", where()));
    if (newline != std::string_view::npos) {
      rest_.remove_prefix(newline + 1);
      break;
    }
    if (!refill()) break;
  }
  if (number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
  return true;
}

void TextLines::put_back(std::string line) {
  put_back_ = std::move(line);
  has_put_back_ = true;
  --number_;
}

std::string TextLines::where() const {
  return fmt::format("{}:{}", name_, number_);
}

bool TextLines::refill() {
  rest_ = std::string_view(buffer_.data(), source_->read(buffer_));
  check_is_text(rest_, bytes_, name_);
  bytes_ += rest_.size();
  return !rest_.empty();
}

void check_is_text(std::string_view bytes, std::uint64_t offset, const std::string& name) {
  if (offset == 0 && (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))) {
    throw DataError(name + ": begins with the byte order mark of UTF-16; expected text in UTF-8");
  }
  if (const std::size_t zero = bytes.find('\0'); zero != std::string_view::npos) {
    throw DataError(
        fmt::format("{}: has a zero byte at byte {}, so it is a binary file or another encoding; expected "
                    "text in UTF-8",
                    name, offset + zero));
  }
}

std::string_view without_carriage_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view without_trailing_space(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t\r\n\v\f") + 1);
}

void for_each_line(const std::filesystem::path& file,
                   const std::function<void(std::string_view, const std::string&)>& use) {
  const std::string bytes = read_small_file(file);
  std::string_view rest = bytes;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    const std::string where = fmt::format("{}:{}", file.string(), number);
    const std::string_view line = rest.substr(0, length);
    check_is_utf8(line, where);
    use(line, where);
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
}

}  // namespace wordsway
