/** Types of single files of the package, which declares them for its index only. */
declare module "rate-limiter-flexible/lib/RateLimiterMemory.js" {
  export { RateLimiterMemory as default } from "rate-limiter-flexible";
}

declare module "rate-limiter-flexible/lib/RateLimiterPostgres.js" {
  export { RateLimiterPostgres as default } from "rate-limiter-flexible";
}
