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

  LINE_BYTES = 1_048_576 # longest line that Reeve takes
  NUL = /(?<!\\)(?:\\\\)*\\u0000/.freeze

  @blocks = {}

  class << self
    # Registers the block that does a task type.
    def task(type, &block)
      raise ArgumentError, "two blocks do #{type}" if @blocks.key?(type)

      @blocks[type] = block
    end

    def write(message)
      @out.write(encode(message))
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

        write_answer(answer(message))
      end
    end

    private

    # The line of a message; raises if Reeve or PostgreSQL would not take it.
    def encode(message)
      text = JSON.generate(message)
      raise ArgumentError, "a text has the character NUL" if NUL.match?(text)

      each_number(JSON.parse(text)) if text.match?(/\d{19}/)
      line = text << "\n"
      raise ArgumentError, "it has #{line.bytesize} bytes, over the limit of 1 MiB" if line.bytesize > LINE_BYTES

      line
    end

    def each_number(value)
      case value
      when Hash then value.each_value { |it| each_number(it) }
      when Array then value.each { |it| each_number(it) }
      when Integer then raise ArgumentError, "a whole number has more than 64 bits" unless value.between?(-(2**63), 2**63 - 1)
      end
    end

    def clean(text)
      text.dup.force_encoding("UTF-8").scrub("\u{fffd}").tr("\0", "\u{fffd}")[0, 8192]
    end

    def write_answer(answer)
      write(answer)
    rescue JSON::JSONError, EncodingError, ArgumentError, NoMethodError, SystemStackError => e
      write(id: answer[:id], error: clean("the result is not JSON: #{e.message}"), final: true)
    end

    def answer(message)
      it = Task.new(*message.values_at("id", "type", "attempt", "payload", "key", "deadline", "traceparent"))
      { id: it.id, result: @blocks.fetch(it.type).call(it.payload, it) }
    rescue Final => e
      { id: message["id"], error: clean(e.message), final: true }
    rescue Retry => e
      { id: message["id"], error: clean(e.message), retry_after: e.after }
    rescue StandardError, SystemExit, SystemStackError, NotImplementedError => e
      warn e.full_message(highlight: false)
      { id: message["id"], error: clean("#{e.class}: #{e.message}") }
    end
  end
end
