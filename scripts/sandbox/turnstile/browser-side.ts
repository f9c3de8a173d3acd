import type { Mode } from "./mode";

/** Returns the script that pages load: like Cloudflare's, it shows a frame and fills a hidden field. */
export function challengeScript(url: string): string {
  return `(() => {
  const boxes = new Map();
  let count = 0;
  window.turnstile = {
    render(container, options) {
      const id = "sandbox-" + count++;
      const field = document.createElement("input");
      field.type = "hidden";
      field.name = "cf-turnstile-response";
      const frame = document.createElement("iframe");
      frame.title = "Bot challenge (stand-in)";
      frame.width = "300";
      frame.height = "65";
      const made = { action: options.action, hostname: location.hostname };
      frame.src = ${JSON.stringify(`${url}/turnstile/v0/widget?`)} + new URLSearchParams(made);
      const listen = ({ source, origin, data }) => {
        if (source !== frame.contentWindow || origin !== ${JSON.stringify(url)}) return;
        if (data.error) return options["error-callback"]?.(data.error);
        field.value = data.token;
        options.callback?.(data.token);
      };
      addEventListener("message", listen);
      container.append(frame, field);
      boxes.set(id, { frame, field, listen });
      return id;
    },
    remove(id) {
      const box = boxes.get(id);
      if (!box) return;
      removeEventListener("message", box.listen);
      box.frame.remove();
      box.field.remove();
      boxes.delete(id);
    },
  };
})();
`;
}

/** Returns the frame's page, which reports its token or an error to the page around it. */
export function widgetPage({ token, widget }: { token: string; widget: Mode["widget"] }): string {
  const report = (data: object) => `parent.postMessage(${JSON.stringify(data)}, "*")`;
  const body = {
    pass: `<p>Stand-in: you are a person.</p><script>${report({ token })}</script>`,
    click: `<label><input type="checkbox" id="box"> I am a person</label>
      <script>box.onchange = () => ${report({ token })}</script>`,
    error: `<p>Stand-in: the challenge failed.</p><script>${report({ error: "300010" })}</script>`,
  }[widget];
  return `<!doctype html><title>Bot challenge (stand-in)</title>${body}`;
}
