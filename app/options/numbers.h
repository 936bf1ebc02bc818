// Numbers, names and lists on the command line, taken only where they mean something.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "wordsway/core/matrix.h"

namespace wordsway::app {

// Numbers on the command line, taken only in the range where they mean something.

/// Says what is wrong with an option's text, or nothing: what CLI::Option::check takes.
using Check = std::function<std::string(const std::string&)>;

/// A finite number in [least, most]; `what` begins the sentence, as in "the radius". CLI::Range lets nan pass.
Check number_between(double least, double most, const std::string& what);

/// Any number but nan and the infinities.
Check finite_number(const std::string& what);

/// As number_between for a whole number written in digits: 1e3 and, for an unsigned one, -1 are none.
Check whole_number_between(std::int64_t least, std::int64_t most, const std::string& what);

/// One of these names, or a comma-separated list of them; another one is answered with what was probably meant. `kind`
/// is what the sentence calls it, as in "format". The names are the validator's description, {table,json}, from which
/// shells complete them (reference/reference.h).
CLI::Validator one_of(const std::string& kind, const std::vector<std::string>& names);
CLI::Validator some_of(const std::string& kind, const std::vector<std::string>& names);

/// Names that shells complete and that are checked later, or that are only some of what is taken.
CLI::Validator such_as(const std::vector<std::string>& names);

/// Seeds are what a journal can hold, whose whole numbers have 64 bits with a sign.
inline constexpr std::int64_t kLargestSeed = std::numeric_limits<std::int64_t>::max();
/// Squares of numbers up to this one are finite, and so are their sums over any data that fits a memory.
inline constexpr double kLargestRadius = 1e100;

/// Adds --seed.
void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& description);
/// Adds --radius alone.
void add_radius_option(CLI::App& command, double& radius, const std::string& description);

// Comma-separated lists on the command line.

/// "10,20,50" as numbers or names. Throws UsageError naming `flag` when an entry is empty or not a number.
std::vector<Index> parse_sizes(const std::string& text, const std::string& flag);
std::vector<double> parse_numbers(const std::string& text, const std::string& flag);
std::vector<std::string> parse_names(const std::string& text, const std::string& flag);

}  // namespace wordsway::app
