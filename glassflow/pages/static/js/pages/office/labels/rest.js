// What the designer needs beside its first picture of the label; designer.js loads it.
export { ElementList } from "./element_list.js";
export { Printed } from "./printed.js";
export { Properties } from "./properties.js";
export { Ruler } from "./ruler.js";
export { Tools } from "./tools.js";
