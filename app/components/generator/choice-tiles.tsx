import type { ReactNode } from "react";
import { FieldNotes, fieldDescription } from "~/components/ui/field-notes";
import type { FormField } from "~/components/ui/server-form";

interface ChoiceTilesProps {
  field: FormField;
  legend: string;
  disabled: boolean;
  tiles: {
    value: string;
    label: string;
    shown: string;
    squares: [number, number, number, number][];
  }[];
}

/** A choice among a few options, each with a small picture of rectangles. */
export function ChoiceTiles({ field, legend, disabled, tiles }: ChoiceTilesProps) {
  return (
    <fieldset className="field" aria-describedby={fieldDescription(field, false)}>
      <legend className="label">{legend}</legend>
      <div className={tiles.length === 3 ? "tiles tiles-3" : "tiles"}>
        {tiles.map(({ value, label, shown, squares }) => (
          <label key={value} className="tile">
            <input
              type="radio"
              name={field.name}
              value={value}
              required={field.constraint.required}
              defaultChecked={value === field.value}
              disabled={disabled}
            />
            <TilePicture>
              {squares.map(([x, y, width, height]) => (
                <rect key={`${x} ${y}`} x={x} y={y} width={width} height={height} rx="2" />
              ))}
            </TilePicture>
            {label === shown ? (
              <span>{label}</span>
            ) : (
              <>
                <span aria-hidden="true">{shown}</span>
                <span className="sr-only">{label}</span>
              </>
            )}
          </label>
        ))}
      </div>
      <FieldNotes field={field} />
    </fieldset>
  );
}

function TilePicture({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 32 28" aria-hidden="true">
      {children}
    </svg>
  );
}
