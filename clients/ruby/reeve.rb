# Carry out tasks of Reeve: `reeve run -- ruby worker.rb`.
#
#     require_relative "reeve"
#     Reeve.task("resize_image") { |payload, it| { width: payload["width"] } }
#     Reeve.run
#
# A block takes the payload and the task, and returns a JSON value.  An exception fails the task; Reeve::Final says that another
# attempt is of no use, and Reeve::Retry asks for a wait.  One file, no dependencies beside Ruby's own json.
require "json"

module Reeve
  # The task fails, and another attempt is of no use.
  class Final < StandardError; end

  # The task fails; the next attempt, if a policy allows one, is due after `after` seconds.
  class Retry < StandardError
    attr_reader :after

    def initialize(message = "retry", after: nil)
      super(message)
      @after = after
    end
  end

  # A task: id, type, attempt, payload, key, deadline (seconds since 1970 or nil), traceparent.
  Task = Struct.new(:id, :type, :attempt, :payload, :key, :deadline, :traceparent) do
    # Reports how far the task is; any JSON value.
    def progress(value)
      Reeve.write(id: id, progress: value)
    end
  end

  @blocks = {}

  class << self
    # Registers the block that does a task type.
    def task(type, &block)
      raise ArgumentError, "two blocks do #{type}" if @blocks.key?(type)

      @blocks[type] = block
    end

    def write(message)
      @out.write(JSON.generate(message) << "\n")
      @out.flush
    end

    # Serves tasks, one after the other, until Reeve says stop.
    def run
      abort "start this program with: reeve run -- ruby #{$PROGRAM_NAME}" unless ENV["REEVE_PROTOCOL"]
      out = ENV.fetch("REEVE_WRITE_FD").to_i
      if out == 1 # --stdio: what is printed must not get into the protocol
        @out = $stdout.dup
        $stdout.reopen($stderr)
      else
        @out = IO.for_fd(out, "w")
      end
      $stdout.sync = true
      write(hello: 1, types: @blocks.keys, at_once: 1)
      IO.for_fd(ENV.fetch("REEVE_READ_FD").to_i, "r").each_line do |line|
        message = JSON.parse(line)
        break if message["stop"]
        next if message["cancel"] # the task is over by now

        write(answer(message))
      end
    end

    private

    def answer(message)
      it = Task.new(*message.values_at("id", "type", "attempt", "payload", "key", "deadline", "traceparent"))
      { id: it.id, result: @blocks.fetch(it.type).call(it.payload, it) }
    rescue Final => e
      { id: message["id"], error: e.message, final: true }
    rescue Retry => e
      { id: message["id"], error: e.message, retry_after: e.after }
    rescue StandardError => e
      warn e.full_message(highlight: false)
      { id: message["id"], error: "#{e.class}: #{e.message}" }
    end
  end
end
