export interface ServerEvent {
  event: string;
  data: Record<string, unknown>;
}

/** The events of a stream as they come; comments are left out. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let kept = "";
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const blocks = (kept + part.value).split("\n\n");
    kept = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event && data) yield { event, data: JSON.parse(data) };
    }
  }
}

export async function readAllEvents(response: Response): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of readEvents(response)) events.push(event);
  return events;
}
