/** The result of `work`, or a failure that says `late` once it has taken this long. The work itself goes on. */
export async function withinDeadline<Value>(
  work: Promise<Value>,
  milliseconds: number,
  late: string,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(late)), milliseconds);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
