// The words of the scripts, in one language; they are inserted when the program starts.

const words = $words;

// Returns a text: say("name", { n: 3 }) replaces {n} by 3.
export const say = (name, values = {}) =>
  words[name].replace(/\{(\w+)\}/g, (whole, value) => values[value] ?? whole);
