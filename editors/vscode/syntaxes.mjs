// The grammars of the checkout, which its tests hold against the parser, are those of the extension.
import { copyFileSync, mkdirSync } from "node:fs";

mkdirSync("syntaxes", { recursive: true });
for (const name of ["pamela", "pasl"]) {
  const file = `${name}.tmLanguage.json`;
  copyFileSync(new URL(`../../grammar/${file}`, import.meta.url), `syntaxes/${file}`);
}
copyFileSync(new URL("../../LICENSE", import.meta.url), "LICENSE");
