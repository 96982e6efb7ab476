// One IndexedDB database of this origin, opened on first use. Works in pages and service workers. Every call rejects
// if the browser blocks storage.

export interface Database<Store extends string> {
  open: () => Promise<IDBDatabase>
  /** Runs one request in its own transaction. Resolves when the transaction is complete, not when the request is. */
  run: <Result>(
    store: Store,
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<Result>,
  ) => Promise<Result>
}

export function createDatabase<Store extends string>(
  name: string,
  stores: readonly Store[],
): Database<Store> {
  let opened: Promise<IDBDatabase> | undefined
  const reopenNextTime = () => (opened = undefined)

  function open(): Promise<IDBDatabase> {
    opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1)
      request.addEventListener('upgradeneeded', () => {
        for (const store of stores) request.result.createObjectStore(store)
      })
      request.addEventListener('success', () => {
        const database = request.result
        // Fired when a newer version of the app in another window needs to upgrade the database, or the user deleted
        // the site's data.
        database.addEventListener('versionchange', () => database.close())
        database.addEventListener('versionchange', reopenNextTime)
        database.addEventListener('close', reopenNextTime)
        resolve(database)
      })
      request.addEventListener('error', () => {
        reopenNextTime()
        reject(request.error ?? new Error('The device refused to open its database'))
      })
    })
    return opened
  }

  return {
    open,
    async run(store, mode, act) {
      const database = await open()
      const transaction = database.transaction(store, mode)
      const request = act(transaction.objectStore(store))
      await done(transaction)
      return request.result
    },
  }
}

export function done(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('aborted')))
  })
}
