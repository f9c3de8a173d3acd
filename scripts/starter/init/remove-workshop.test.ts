import { expect, test } from "vitest";
import { withoutWorkshop } from "./remove-workshop";

test("marked parts, rows and words of a list about the workshop's commands go, and nothing else", () => {
  const text = `A
<!-- workshop -->
## Pictures

\`npm run shoot\`

<!-- end of workshop -->
| \`npm run shoot\` | takes pictures |
| \`npm run audit\` | checks |

Not in the image: \`npm run shoot\`, \`npm run audit\`.
`;
  expect(withoutWorkshop(text, ["bench", "shoot"])).toBe(`A
| \`npm run audit\` | checks |

Not in the image: \`npm run audit\`.
`);
});
