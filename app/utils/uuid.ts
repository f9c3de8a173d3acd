const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be one of our ids. PostgreSQL answers any other with an error, not "none". */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}
