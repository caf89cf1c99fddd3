// The types of vendor/ui.js, which tools/vendor/ui.js lists. An empty state, signal or
// reference may hold anything later: it does not say what.
import type { VNode } from "preact";
import type { Signal } from "@preact/signals";

export { Component, createContext, Fragment, h, render } from "preact";
export { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
export { batch, computed, effect, useComputed, useSignalEffect } from "@preact/signals";
export { SHAPES } from "./icons.js";

type Known<T> = {} extends T ? any : T;

export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;
export function signal<T>(value?: T): Signal<Known<T>>;
export function useSignal<T>(value?: T): Signal<Known<T>>;
export function useRef<T>(value?: T): { current: Known<T> };
export function useState<T>(
  value?: T | (() => T),
): [Known<T>, (next: Known<T> | ((now: Known<T>) => Known<T>)) => void];
