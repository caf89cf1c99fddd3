// The format of all JavaScript of ours but html`` templates, which stay as they are written:
// their lines follow the markup, and prettier knows only the code within.
import { doc } from "prettier";
import { printers } from "prettier/plugins/estree";

const { estree } = printers;
const isMarkup = ({ node }) => node?.type === "TaggedTemplateExpression" && node.tag.name === "html";

const keepMarkup = {
  printers: {
    estree: {
      ...estree,
      hasPrettierIgnore: (path) => isMarkup(path) || estree.hasPrettierIgnore(path),
      printPrettierIgnored(path, options, ...others) {
        if (!isMarkup(path)) return estree.printPrettierIgnored(path, options, ...others);
        const text = options.originalText.slice(options.locStart(path.node), options.locEnd(path.node));
        return doc.utils.replaceEndOfLine(text, doc.builders.literalline);
      },
    },
  },
};

export default { printWidth: 120, embeddedLanguageFormatting: "off", plugins: [keepMarkup] };
