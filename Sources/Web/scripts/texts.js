// The words of the scripts, in one language; they are put in when the program starts.

const words = $words;

// Says a text: say("name", { n: 3 }) puts 3 in the place of {n}.
export const say = (name, values = {}) =>
  words[name].replace(/\{(\w+)\}/g, (whole, value) => values[value] ?? whole);
