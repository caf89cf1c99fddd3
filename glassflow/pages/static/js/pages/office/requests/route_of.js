// The route of an order, from those of its panes.

/** One route along all stations of several: each station once, behind those before it. */
export function routeOf(routes) {
  const route = [];
  for (const steps of routes) {
    let after = -1; // where the step before stands
    for (const step of steps) {
      const known = route.indexOf(step);
      if (known < 0) route.splice(after + 1, 0, step);
      after = known < 0 ? after + 1 : known;
    }
  }
  return route;
}
