-- The queue of jobs that go on with runs.
SELECT pgboss.create_queue('runs', '{"policy": "standard", "notify": true}');
