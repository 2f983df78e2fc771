/** A map of the world in which a country is the stronger the more downloads it has. Loaded only when it is shown. */
import world from "virtual:world-map";
import { useTexts } from "../messages/index.tsx";
import classes from "./overview.module.css";

interface WorldPictureProps {
  /** By ISO code. */
  counts: ReadonlyMap<string, number>;
}

export default function WorldPicture({ counts }: WorldPictureProps) {
  const { formatNumber, nameCountry } = useTexts();
  const largest = Math.max(1, ...counts.values());
  return (
    <svg className={classes.map} viewBox={world.viewBox} aria-hidden>
      {world.countries.map(({ code, path }, index) => {
        const count = counts.get(code) ?? 0;
        return (
          <g key={code || index}>
            <path className={classes.country} d={path} />
            {count > 0 && (
              <path
                className={`${classes.country} ${classes.reached}`}
                d={path}
                // A few countries have most of the downloads: by their number, the others couldn't be seen.
                fillOpacity={0.2 + (0.8 * Math.log(1 + count)) / Math.log(1 + largest)}
              >
                <title>{`${nameCountry(code, code)}: ${formatNumber(count)}`}</title>
              </path>
            )}
          </g>
        );
      })}
    </svg>
  );
}
