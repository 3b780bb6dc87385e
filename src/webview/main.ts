// The page's entry. It asks one question, "ready", and draws the answer.
acquireVsCodeApi().postMessage({ type: "ready" });
