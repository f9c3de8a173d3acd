/** The groups of addresses that a key can open. `KEY_SCOPES` of the route table says which address is in which. */
export const API_KEY_SCOPES = ["generate", "files", "read"] as const;

export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];
