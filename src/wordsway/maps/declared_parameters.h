// The parameters of several maps taken together: which there are, in which order to show them, and their defaults.
//
// `maps` are names of registered maps throughout; these functions throw UsageError on others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wordsway/maps/map_registry.h"

namespace wordsway {

using MapNames = std::vector<std::string>;

/// The parameters that are keys of rows about these maps, in that order. First those that every row has had since the
/// first version, whatever its map, so that old journals and scripts go on working: depth, width, activation, beta.
/// Then those that only these maps have, as they declare them.
std::vector<std::string> row_parameters(const MapNames& maps);

/// The parameters in the order of settings and help: numbers, then whole numbers, then names.
std::vector<std::string> listed_parameters(const MapNames& maps);

/// The declaration of a parameter by the first map that has it: what all of them agree on, its type and help. Throws
/// UsageError when no map has it.
const Parameter& declared_parameter(const std::string& name);

/// Throws UsageError when none of these maps has the parameter. `shown` is what to call it, as in "--beta".
void check_has_meaning(const std::string& name, const MapNames& maps, const std::string& shown);

/// The default that all these maps share; nothing if it depends on the size or differs between the maps. If none of
/// them has the parameter, considers all registered maps.
std::optional<ParameterValue> common_default(const std::string& name, const MapNames& maps);

/// The defaults of all maps as a user would write them: "1", "n·d", or "1 (raf), 2 (rf)" if they differ.
std::string default_text(const std::string& name);

/// The names that a parameter of names may take, over all maps.
std::vector<std::string> choices(const std::string& name);

/// Every combination of the listed values of the parameters of `base`: lists of names vary slowest, then the others in
/// the order of rows, the last one fastest.
std::vector<MapOptions> all_combinations(const MapOptions& base, const ParameterLists& lists);

}  // namespace wordsway
