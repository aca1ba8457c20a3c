"use strict";

/* Colours by the TextMate grammar that editors use: at each place the leftmost match of any rule, then the first rule. */
const Colours = (() => {
  const LONGEST = 100000; // characters; longer texts stay without colours
  const CLASSES = { comment: "comment", string: "string", constant: "number", storage: "keyword", support: "function" };

  const rulesOf = (grammar) => grammar.patterns.flatMap(({ include }) => {
    const rule = grammar.repository[include.slice(1)];
    return rule.patterns || [rule];
  });

  // A rule over several lines becomes one expression, up to the end of the text where nothing ends it.
  const source = (rule) => rule.match || `${rule.begin}[\\s\\S]*?(?:${rule.end}|$(?![\\s\\S]))`;

  const classOf = (scope) => (/^keyword\.(control|other)/.test(scope) ? "keyword" : CLASSES[scope.split(".")[0]] || "");

  const painter = (grammar) => {
    const rules = rulesOf(grammar);
    const whole = new RegExp(rules.map((rule, k) => `(?<r${k}>${source(rule)})`).join("|"), "gm");
    const alone = rules.map((rule) => new RegExp(source(rule), "m"));

    // Spans [from, to, class] in the order of the text.
    return (text) => {
      if (text.length > LONGEST) return [];
      const spans = [];
      for (const match of text.matchAll(whole)) {
        const k = rules.findIndex((_, n) => match.groups[`r${n}`] !== undefined), rule = rules[k];
        if (!rule.captures) {
          spans.push([match.index, match.index + match[0].length, classOf(rule.name)]);
          continue;
        }
        let at = match.index;
        const inner = alone[k].exec(match[0]);
        for (const [number, { name }] of Object.entries(rule.captures)) {
          const from = text.indexOf(inner[number], at);
          at = from + inner[number].length;
          spans.push([from, at, classOf(name)]);
        }
      }
      return spans.filter((span) => span[2]);
    };
  };

  return { painter };
})();
