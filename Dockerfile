FROM node:26.10.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
# The optional packages are needed: one is the password hasher's binary. Others bring Node, which the base has already.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/book-distribution-console
# Covers use one style of each font: the others are 12 MB.
RUN find node_modules/@fontsource-variable -name '*.woff2' ! -name '*-wght-normal.woff2' -delete

FROM node:26.10.0-slim AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY console console
RUN npm ci
COPY scripts/build-console.ts scripts/
RUN node scripts/build-console.ts

FROM node:26.10.0-slim
ENV NODE_ENV=production DATA_DIR=/data
# Returns freed memory to the operating system: docs/operation.md, "Size".
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE openapi.json ./
COPY assets assets
COPY examples examples
COPY migrations migrations
COPY scripts/bookdist.mjs scripts/node.mjs scripts/
COPY src src
COPY widget widget
COPY --from=console /app/console/dist console/dist
RUN ln -s /app/scripts/bookdist.mjs /usr/local/bin/bookdist
RUN install --directory --owner=node --group=node --mode=700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/api/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["bookdist", "serve"]
