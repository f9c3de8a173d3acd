import { useMovementWords } from "~/components/credits/use-movement-words";
import { Time } from "~/components/time";
import { Coin } from "~/components/ui/coin";
import { Icon } from "~/components/ui/icon";
import type { Movement } from "~/models/accounts/movement";
import { thumbnailKey } from "~/services/storage/thumbnail-key";

interface MovementNameProps {
  movement: Movement;
  /** Where the time has no column of its own. */
  showsTime?: boolean;
}

/** A movement's picture and words, with a link to what it was for. */
export function MovementName({ movement, showsTime = false }: MovementNameProps) {
  const { title, note, path, icon } = useMovementWords()(movement);
  return (
    <div className="what">
      <MovementPicture movement={movement} icon={icon} />
      <div>
        {path ? <a href={path}>{title}</a> : <b>{title}</b>}
        {note ? <small>{note}</small> : null}
        {showsTime ? (
          <small>
            <Time at={movement.createdAt} />
          </small>
        ) : null}
      </div>
    </div>
  );
}

interface MovementPictureProps {
  movement: Movement;
  icon: ReturnType<ReturnType<typeof useMovementWords>>["icon"];
}

function MovementPicture({ movement: { run }, icon }: MovementPictureProps) {
  const picture = run?.picture;
  if (run && picture) {
    const { url, index, thumbnailWidth } = picture;
    const original = url ?? `/api/images/${run.id}/${index}`;
    const src = thumbnailWidth ? thumbnailKey(original, thumbnailWidth) : original;
    return (
      <img
        src={src}
        width="48"
        height="48"
        alt=""
        className="thumb"
        loading="lazy"
        decoding="async"
      />
    );
  }
  const tone = { coin: "thumb-coin", undo: "thumb-good" }[String(icon)] ?? "";
  return (
    <span className={`thumb thumb-icon ${tone}`.trim()}>
      {icon === "coin" ? <Coin /> : <Icon name={icon} />}
    </span>
  );
}
