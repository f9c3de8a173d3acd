import pg from "pg";

/** As many connections as the measured server has. */
export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
