#include "wordsway/draw/row_notes.h"

#include <algorithm>
#include <array>

namespace wordsway {
namespace {

constexpr double kNoteGap = 8, kMostForNotes = 0.4, kWidestNote = 200;

std::optional<double> value_at(const RowMarks& marks, size_t row) {
  return row < marks.values.size() ? marks.values[row] : std::nullopt;
}

double widest_note(const Panel& panel, double available) {
  const auto with_notes =
      std::ranges::count_if(panel.marks, [](const RowMarks& marks) { return !marks.notes.empty(); });
  return std::min(kWidestNote,
                  kMostForNotes * available / static_cast<double>(std::max<std::ptrdiff_t>(1, with_notes)));
}

struct Note {
  double value, width;
  Text text;
  std::string colour;
};

std::vector<Note> notes_at(const Panel& panel, size_t row, double widest) {
  std::vector<Note> notes;
  for (const RowMarks& marks : panel.marks) {
    const auto value = value_at(marks, row);
    if (!value || row >= marks.notes.size() || marks.notes[row].empty()) continue;
    Text text = fitted(marks.notes[row], widest);
    const double width = text_width(text);
    notes.push_back({*value, width, std::move(text), marks.text_colour});
  }
  return notes;
}

using Stretch = std::array<double, 2>;  // from where to where something stands

const Stretch* in_the_way(const std::vector<Stretch>& taken, double x, double width) {
  for (const Stretch& stretch : taken)
    if (x < stretch[1] && x + width > stretch[0]) return &stretch;
  return nullptr;
}

// Right of the mark, else left of it, else behind everything that stands to its right.
double free_place(const RowField& field, const std::vector<Stretch>& taken, double mark, double width) {
  const double right = mark + kRowMarkRadius + kNoteGap / 2, left = mark - kRowMarkRadius - kNoteGap / 2 - width;
  if (in_the_way(taken, right, width) == nullptr) return right;
  if (left > field.left && in_the_way(taken, left, width) == nullptr) return left;
  double x = right;
  while (const Stretch* stretch = in_the_way(taken, x, width)) x = (*stretch)[1] + kNoteGap / 2;
  return x;
}

}  // namespace

RowField row_field(const Panel& panel, double left, double available) {
  const double end = panel.x.high, widest = widest_note(panel, available);
  double width = available;
  // Notes end before the picture does even where each stands right of all marks.
  for (size_t row = 0; row < panel.y.names.size(); ++row) {
    double notes = 0, rightmost = 0;
    for (const Note& note : notes_at(panel, row, widest)) notes += note.width + kNoteGap;
    for (const RowMarks& marks : panel.marks) rightmost = std::max(rightmost, value_at(marks, row).value_or(0));
    if (notes > 0 && rightmost > 0)
      width = std::min(width, (available - notes - 2 * kRowMarkRadius) / (rightmost / end));
  }
  return {left, left + width, end};
}

std::vector<RowNote> row_notes(const Panel& panel, size_t row, const RowField& field, double available) {
  std::vector<Stretch> taken;
  for (const RowMarks& marks : panel.marks)
    if (const auto value = value_at(marks, row)) {
      const bool bar = marks.shape == Shape::kNone;
      const double x = field.x(*value);
      taken.push_back({bar ? field.left : x - kRowMarkRadius, x + (bar ? 0 : kRowMarkRadius)});
    }
  std::vector<RowNote> result;
  for (const Note& note : notes_at(panel, row, widest_note(panel, available))) {
    const double x = free_place(field, taken, field.x(note.value), note.width);
    taken.push_back({x, x + note.width});
    result.push_back({x, note.text, note.colour});
  }
  return result;
}

}  // namespace wordsway
