// What the pages import from vendor/uplot.js: charts over time.
export { default } from "uplot";
