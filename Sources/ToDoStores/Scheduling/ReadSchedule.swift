/// The state machine of a reader pool: the waiting jobs, and which threads are idle.
struct ReadSchedule<Owner: Hashable, Job> {
  private var queue: FairQueue<Owner, Job>
  private var idle: [Int]

  /// - Parameter threadCount: the number of threads, which have the numbers from 0 on.
  init(threadCount: Int, limits: FairQueue<Owner, Job>.Limits, quantum: Int64) {
    queue = FairQueue(limits: limits, quantum: quantum)
    idle = (0..<threadCount).reversed()
  }

  /// The number of waiting jobs.
  var count: Int { queue.count }

  /// Returns the reason why a job of an owner would be rejected now, or `nil`.
  func rejection(of owner: Owner) -> FairQueue<Owner, Job>.Rejection? { queue.rejection(of: owner) }

  /// Appends a job.
  ///
  /// - Returns: the thread that must start, if any.
  mutating func add(_ job: Job, of owner: Owner) -> Int? {
    queue.add(job, ticket: 0, of: owner)
    return queue.canRun(owner) ? idle.popLast() : nil
  }

  /// Takes the next job of a thread that has started or has finished a job.
  ///
  /// - Parameter finished: the job that the thread has finished: its owner, and its cost in the unit of the quantum.
  /// - Returns: `nil` if the thread becomes idle.
  mutating func next(on thread: Int, finished: (owner: Owner, cost: Int64)?) -> (owner: Owner, job: Job)? {
    if let finished { queue.finish(finished.owner, cost: finished.cost) }
    guard let (owner, job) = queue.next() else {
      idle.append(thread)
      return nil
    }
    return (owner, job)
  }
}
