// The window widths at which screens change, for style sheets and scripts. A style sheet names them as custom media:
// `@media (--phone)`. The build replaces the names (vite.breakpoints.ts), because no browser supports them yet.

export const breakpoints = {
  '--phone': '(max-width: 30rem)',
  '--below-tablet': '(max-width: 47.99rem)',
  '--tablet': '(min-width: 48rem)',
  '--below-desktop': '(max-width: 63.99rem)',
  '--desktop': '(min-width: 64rem)',
  '--below-wide': '(max-width: 79.99rem)',
  '--wide': '(min-width: 80rem)',
} as const
