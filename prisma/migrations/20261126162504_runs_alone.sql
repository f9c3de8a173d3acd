-- The version before metered runs has ended, and no other reads what this trigger writes. It goes in a file of its own:
-- an end of a run holds image_generations through it, and then needs users. The next file locks the two the other way round.
DROP TRIGGER "mirror_run" ON "metered_runs";
DROP FUNCTION "mirror_run"();
