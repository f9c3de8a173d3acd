-- A queue for each kind of app/models/jobs/job-kinds.ts. How often a job is tried, and how long it may take, is written
-- with each job.
SELECT pgboss.create_queue('thumbnails', '{"policy": "standard", "notify": true}');
