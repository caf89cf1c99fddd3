// What the board needs beyond the figures of its stations; source.js loads it beside the first snapshot.
import "../../ui/page_icons.js";

export { change } from "./changes.js";
export { Foot } from "./foot.js";
export { Rack, Split } from "./rack.js";
export { AsOf, Band, Clock, Instead, Urgent } from "./signs.js";
export { Controls, Other, view } from "./views.js";
export { watch } from "./watch.js";
