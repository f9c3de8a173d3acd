/// <reference types="vite/client" />

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
  interface AppLoadContext {
    /** Sent as `X-Request-Id` and written on every log line of this request. */
    requestId: string;
    /** The client's address: the peer's, or the forwarded one under `TRUST_PROXY`. */
    clientAddress: string;
    /** The nonce that this response's Content-Security-Policy allows scripts by. */
    cspNonce: string;
    /** Resolves when the connection takes more bytes of the response, or is closed. */
    whenWritable: () => Promise<void>;
    /** Returns a signal that is aborted when the client has gone before the whole response was sent. */
    whenLeft: () => AbortSignal;
  }
}

export {};
