/** A route that wants calling on time. */
export interface Job {
  name: string;
  /** Five fields, in UTC. */
  schedule: string;
  path: string;
}

export const JOBS: readonly Job[] = [
  { name: "maintenance", schedule: "*/5 * * * *", path: "/api/cron/maintenance" },
  { name: "subscription-credits", schedule: "5 0 * * *", path: "/api/cron/subscription-credits" },
];
