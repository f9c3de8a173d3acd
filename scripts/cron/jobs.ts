/** A route to call on a schedule. */
export interface Job {
  name: string;
  /** Cron expression of five fields, in UTC. */
  schedule: string;
  path: string;
}

export const JOBS: readonly Job[] = [
  { name: "maintenance", schedule: "*/5 * * * *", path: "/api/cron/maintenance" },
  { name: "subscription-credits", schedule: "5 0 * * *", path: "/api/cron/subscription-credits" },
];
