SELECT pgboss.create_queue('emails', '{"policy": "standard", "notify": true}');
