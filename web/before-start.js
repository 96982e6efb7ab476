// A classic script in the head of the page, which runs before the app. It is a file, because the content security
// policy allows no inline script.

// 1. Sets the color scheme before the first paint, so that the page doesn't flash in the other one. Follows the
// system's setting until the app has loaded. Key and values must match base/ui/theme/color-scheme.ts.
;(function () {
  var system = matchMedia('(prefers-color-scheme: light)')
  function apply() {
    var choice = null
    try {
      choice = localStorage.getItem('velour-color-scheme')
    } catch {
      // Storage is blocked here, so follow the system.
    }
    var light = choice === 'light' || (choice !== 'dark' && system.matches)
    document.documentElement.setAttribute('data-mantine-color-scheme', light ? 'light' : 'dark')
    var themeColor = document.querySelector('meta[name="theme-color"]')
    if (themeColor) themeColor.setAttribute('content', light ? '#f9f2ee' : '#150a13')
  }
  apply()
  system.addEventListener('change', apply)
})()

// 2. Reloads the page once if the app's modules failed to load. The browser fires `load` after module scripts have run
// or failed. main.tsx sets `data-app-started` when it runs.
addEventListener('load', function () {
  var root = document.getElementById('root')
  if (!root || root.firstChild || document.documentElement.hasAttribute('data-app-started')) return
  try {
    if (sessionStorage.getItem('velour-loaded-again') === location.href) return
    sessionStorage.setItem('velour-loaded-again', location.href)
  } catch {
    // Don't reload if storage is blocked: the page could reload forever.
    return
  }
  location.reload()
})
