/** Elements that draw, or describe a drawing. No links, scripts, animations, or other kinds of document. */
export const SVG_ELEMENTS = new Set(
  `svg g defs symbol use title desc metadata style switch
  path rect circle ellipse line polyline polygon text tspan textPath image marker pattern
  linearGradient radialGradient stop clipPath mask filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
  feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
  feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting
  feSpotLight feTile feTurbulence`.split(/\s+/),
);

/** Attributes whose values are names and texts, which no browser looks up or draws. */
export const SVG_TEXT_ATTRIBUTES = new Set(
  `id class lang role tabindex version baseProfile type media systemLanguage requiredFeatures
  aria-label aria-labelledby aria-describedby aria-hidden focusable data-name`.split(/\s+/),
);

/** Attributes that draw. Their values may be styles. `href` is checked apart. */
export const SVG_ATTRIBUTES = new Set(
  `style x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy width height viewBox preserveAspectRatio d points
  pathLength rotate textLength lengthAdjust startOffset method spacing side transform
  transform-origin gradientTransform gradientUnits spreadMethod offset patternTransform patternUnits
  patternContentUnits clipPathUnits maskUnits maskContentUnits filterUnits primitiveUnits
  markerUnits markerWidth markerHeight refX refY orient zoomAndPan enable-background
  in in2 result mode values tableValues slope intercept amplitude exponent operator k1 k2 k3 k4
  order kernelMatrix divisor bias targetX targetY edgeMode kernelUnitLength preserveAlpha
  surfaceScale diffuseConstant specularConstant specularExponent scale xChannelSelector
  yChannelSelector stdDeviation radius azimuth elevation pointsAtX pointsAtY pointsAtZ z
  limitingConeAngle baseFrequency numOctaves seed stitchTiles
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation
  color-interpolation-filters color-rendering cursor direction display dominant-baseline fill
  fill-opacity fill-rule filter flood-color flood-opacity font font-family font-feature-settings
  font-kerning font-size font-size-adjust font-stretch font-style font-variant font-weight
  glyph-orientation-horizontal glyph-orientation-vertical image-rendering isolation kerning
  letter-spacing lighting-color line-height marker-end marker-mid marker-start mask mask-type
  mix-blend-mode opacity overflow paint-order pointer-events shape-rendering stop-color
  stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-overflow
  text-rendering unicode-bidi vector-effect visibility white-space word-spacing writing-mode`.split(
    /\s+/,
  ),
);

/** Functions of CSS and of `transform`. `url` may only name a part of the drawing itself. */
export const CSS_FUNCTIONS = new Set(
  `url rgb rgba hsl hsla hwb lab lch oklab oklch color-mix calc min max clamp var
  matrix matrix3d translate translatex translatey scale scalex scaley rotate skew skewx skewy
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
  circle ellipse inset polygon path not is where nth-child nth-of-type`.split(/\s+/),
);
