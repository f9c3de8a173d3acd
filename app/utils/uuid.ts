const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Whether a text has the form of our ids. PostgreSQL raises an error for other text instead of finding
 * no row.
 */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}
