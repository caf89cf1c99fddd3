"""A part of the pages alone on a page, with its styles."""

#: The page shows nothing else; `html`, `render`, `part` and `place` are for the content.
SHOW_ALONE = """
    const modules = new URL("js/", document.querySelector('link[rel="manifest"]').href);
    const at = (path) => new URL(path, modules).href;
    const { html, render } = await import(at("../vendor/ui.js"));
    const { loadTexts } = await import(at("core/i18n.js"));
    await loadTexts("shared", "station");
    const part = await import(at(given.module));
    const link = document.createElement("link");
    await new Promise((loaded) => {
      Object.assign(link, { rel: "stylesheet", href: at(given.styles), onload: loaded });
      document.head.append(link);
    });
    const place = document.createElement("main");
    document.getElementById("app").replaceWith(place);
"""


def show_part(tab, module, styles, content, **values):
    """Show what the JavaScript `content` renders into `place`; `given` are the values."""
    given = {"module": module, "styles": styles, **values}
    tab.run(SHOW_ALONE + content, given)
