// What the pages import from vendor/ui.js: Preact, its hooks, signals, `html`, and
// the shapes of the icons (icons.js is written by vendor.mjs).
import { h } from "preact";
import htm from "htm";

export { Component, createContext, Fragment, h, render } from "preact";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { batch, computed, effect, signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
export { SHAPES } from "./icons.js";
export const html = htm.bind(h);
