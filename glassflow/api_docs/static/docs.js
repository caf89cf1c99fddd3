// Shows both documents. Who is logged in to the pages of this service can try requests with
// a page token; others enter a token of POST /api/auth/login.
async function pageToken() {
  try {
    const answer = await fetch("/floor/session", { headers: { "X-Floor": "1" } });
    return answer.ok ? (await answer.json()).data.token : "";
  } catch {
    return "";
  }
}

pageToken().then((token) => {
  Scalar.createApiReference("#reference", {
    sources: [
      { title: "Requests", slug: "requests", url: "/api/openapi.json", default: true },
      { title: "Live events", slug: "events", url: "/api/asyncapi.json" },
    ],
    authentication: {
      preferredSecurityScheme: "token",
      securitySchemes: { token: { token } },
    },
    // nothing from, to or about other hosts
    withDefaultFonts: false,
    telemetry: false,
    showDeveloperTools: "never",
    hideClientButton: true,
    mcp: { disabled: true },
    agent: { disabled: true },
    documentDownloadType: "direct",
  });
});
